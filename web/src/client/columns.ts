// The binary block TDB1 of docs/api.md, decoded into typed arrays. Columns are views of the block where its alignment
// allows (8 bytes), so that a large trace is not held twice.
import { ClientError } from './client_error';
import {
  extentOf,
  kKindCode,
  kSliceKinds,
  type RankModel,
  type SideTable,
  type SliceKind,
  type Track,
  type TraceModel,
  type TrackKind,
} from './trace_model';

const kMagic = 0x31424454; // "TDB1", little-endian
const kMaxRanks = 65_536;
const kTableWidths = { kernels: 9, collectives: 8, copies: 3, ops: 3 } as const;

/** Throws ClientError `malformed_reply` that says what was expected, where. */
export function decodeColumns(blob: Uint8Array): TraceModel {
  const aligned = blob.byteOffset % 8 === 0 ? blob : blob.slice();
  const reader = new BlockReader(aligned);
  if (reader.u32('magic') !== kMagic) throw malformed('The block does not begin with TDB1.', 'byte 0');
  const count = reader.u32('number of ranks');
  if (count > kMaxRanks) throw malformed(`The block announces ${count} ranks.`, 'byte 4');
  const ranks: RankModel[] = [];
  for (let index = 0; index < count; index += 1) ranks.push(readRank(reader, `rank entry ${index}`));
  ranks.sort((a, b) => a.rank - b.rank);
  return { ranks, extent: extentOf(ranks) };
}

function malformed(message: string, where: string): ClientError {
  return new ClientError('malformed_reply', message, where);
}

/** Walks the block; each read checks that the bytes are there. */
class BlockReader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u32(what: string): number {
    this.need(4, what);
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  text(length: number, what: string): string {
    const from = this.need(length, what);
    this.at += length;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(this.bytes.subarray(from, from + length));
    } catch {
      throw malformed(`The ${what} is not UTF-8.`, `byte ${from}`);
    }
  }

  f64(count: number, what: string): Float64Array {
    const from = this.column(count * 8, what);
    return new Float64Array(this.bytes.buffer, this.bytes.byteOffset + from, count);
  }

  column32(count: number, what: string): Uint32Array {
    const from = this.column(count * 4, what);
    return new Uint32Array(this.bytes.buffer, this.bytes.byteOffset + from, count);
  }

  column8(count: number, what: string): Uint8Array {
    const from = this.column(count, what);
    return this.bytes.subarray(from, from + count);
  }

  /** Skips to the next multiple of 8 and claims `length` bytes. An empty column may stand at the block's very end. */
  private column(length: number, what: string): number {
    this.at = Math.min(Math.ceil(this.at / 8) * 8, length ? Infinity : Math.floor(this.bytes.length / 8) * 8);
    const from = this.need(length, what);
    this.at += length;
    return from;
  }

  private need(length: number, what: string): number {
    const have = this.bytes.length - this.at;
    if (length > have) {
      throw malformed(
        `The block ends in ${what}: ${length} bytes expected, ${have} left.`,
        `byte ${this.at}`,
      );
    }
    return this.at;
  }
}

type Header = Readonly<Record<string, unknown>>;

function readRank(reader: BlockReader, where: string): RankModel {
  const length = reader.u32(`${where}: header length`);
  const header = parseHeader(reader.text(length, `${where}: header`), where);
  const count = natural(header, 'slices', where);
  const clockOffsetNs = number(header, 'clock_offset_ns', where);
  const strings = array(header, 'strings', where).map(String);

  const rawStartNs = reader.f64(count, `${where}: start_ns`);
  const durNs = reader.f64(count, `${where}: dur_ns`);
  const correlation = reader.f64(count, `${where}: correlation`);
  const track = reader.column32(count, `${where}: track`);
  const name = reader.column32(count, `${where}: name`);
  const rawKind = reader.column8(count, `${where}: kind`);
  const table = (key: keyof typeof kTableWidths): SideTable => {
    const width = kTableWidths[key];
    return { width, values: reader.f64(natural(header, key, where) * width, `${where}: ${key}`) };
  };
  const rank: RankModel = {
    rank: number(header, 'rank', where),
    worldSize: number(header, 'world_size', where),
    device: String(header['device'] ?? ''),
    host: String(header['host'] ?? ''),
    clockOffsetNs,
    sliceCount: count,
    startNs: clockOffsetNs === 0 ? rawStartNs : rawStartNs.map((startNs) => startNs + clockOffsetNs),
    durNs,
    correlation,
    track,
    name,
    kind: toOwnKinds(rawKind, array(header, 'kinds', where).map(String), where),
    strings,
    tracks: array(header, 'tracks', where).map((entry, index) =>
      toTrack(entry, count, `${where}, track ${index}`),
    ),
    kernels: table('kernels'),
    collectives: table('collectives'),
    copies: table('copies'),
    ops: table('ops'),
    collectiveKinds: array(header, 'collective_kinds', where).map(String),
    dtypes: array(header, 'dtypes', where).map(String),
    copyKinds: array(header, 'copy_kinds', where).map(String),
  };
  checkSlices(rank, where);
  return rank;
}

function parseHeader(text: string, where: string): Header {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw malformed('The header is not JSON.', where);
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw malformed('The header is not a JSON object.', where);
  }
  return header as Header;
}

function number(from: Header, key: string, where: string): number {
  const value = from[key];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw malformed(`"${key}" is not a number.`, where);
  return value;
}

function natural(from: Header, key: string, where: string): number {
  const value = number(from, key, where);
  if (!Number.isInteger(value) || value < 0)
    throw malformed(`"${key}" is ${value}; a count was expected.`, where);
  return value;
}

function array(from: Header, key: string, where: string): readonly unknown[] {
  const value = from[key];
  if (!Array.isArray(value)) throw malformed(`"${key}" is not an array.`, where);
  return value;
}

const kTrackKinds: readonly TrackKind[] = [
  'host_thread',
  'loader_worker',
  'stream',
  'gpu_annotation',
  'sync',
  'counter',
  'other',
];

function toTrack(entry: unknown, sliceCount: number, where: string): Track {
  if (typeof entry !== 'object' || entry === null) throw malformed('A track is not an object.', where);
  const from = entry as Header;
  const begin = natural(from, 'begin', where);
  const end = natural(from, 'end', where);
  if (begin > end || end > sliceCount) {
    throw malformed(`The track claims slices [${begin}, ${end}) of ${sliceCount}.`, where);
  }
  return {
    kind: kTrackKinds.find((kind) => kind === from['kind']) ?? 'other',
    pid: number(from, 'pid', where),
    tid: number(from, 'tid', where),
    name: String(from['name'] ?? ''),
    process: String(from['process'] ?? ''),
    device: number(from, 'device', where),
    sortIndex: number(from, 'sort_index', where),
    begin,
    end,
  };
}

/** The block numbers kinds by its own list; the page by kSliceKinds. A kind that the page does not know is `other`. */
function toOwnKinds(column: Uint8Array, kinds: readonly string[], where: string): Uint8Array {
  const codes = kinds.map((kind) => kKindCode[kind as SliceKind] ?? kKindCode.other);
  const bad = column.findIndex((code) => code >= codes.length);
  if (bad >= 0) throw malformed(`Slice ${bad} has kind ${column[bad]} of ${codes.length}.`, where);
  const same = codes.every((code, index) => code === index) && codes.length <= kSliceKinds.length;
  return same ? column : column.map((code) => codes[code] ?? kKindCode.other);
}

function checkSlices(rank: RankModel, where: string): void {
  for (let slice = 0; slice < rank.sliceCount; slice += 1) {
    const finite = Number.isFinite(rank.startNs[slice]) && Number.isFinite(rank.durNs[slice]);
    if (!finite || (rank.durNs[slice] ?? -1) < 0) throw malformed(`Slice ${slice} has no valid time.`, where);
    if ((rank.name[slice] ?? 0) >= rank.strings.length) throw malformed(`Slice ${slice} has no name.`, where);
    if ((rank.track[slice] ?? 0) >= rank.tracks.length)
      throw malformed(`Slice ${slice} has no track.`, where);
  }
  for (const [index, track] of rank.tracks.entries()) {
    for (let slice = track.begin + 1; slice < track.end; slice += 1) {
      if ((rank.startNs[slice] ?? 0) < (rank.startNs[slice - 1] ?? 0)) {
        throw malformed(`Slice ${slice} of track ${index} starts before the one before it.`, where);
      }
    }
  }
}
