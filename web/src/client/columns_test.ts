import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError } from './client_error';
import { decodeColumns } from './columns';
import { unframe } from './http_client';
import { collectiveArgs, kernelArgs, launchedBy, launchOf } from './lookup';
import { kindOf, nameOf } from './trace_model';

/** Writes the block of docs/api.md byte by byte, so that the decoder is not tested against itself. */
class BlockWriter {
  private bytes: number[] = [];

  raw(...bytes: number[]): this {
    this.bytes.push(...bytes);
    return this;
  }
  text(text: string): this {
    return this.raw(...new TextEncoder().encode(text));
  }
  u32(value: number): this {
    return this.raw(...new Uint8Array(Uint32Array.of(value).buffer));
  }
  pad(): this {
    while (this.bytes.length % 8) this.bytes.push(0);
    return this;
  }
  f64(...values: number[]): this {
    return this.pad().raw(...new Uint8Array(Float64Array.from(values).buffer));
  }
  column32(...values: number[]): this {
    return this.pad().raw(...new Uint8Array(Uint32Array.from(values).buffer));
  }
  column8(...values: number[]): this {
    return this.pad().raw(...values);
  }
  done(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

const kHeader = {
  rank: 3,
  world_size: 8,
  device: 'H100',
  host: 'node-0',
  clock_offset_ns: 500,
  slices: 3,
  kernels: 1,
  collectives: 1,
  copies: 0,
  ops: 0,
  kinds: ['comm', 'runtime', 'compute', 'of_a_later_version'],
  collective_kinds: ['unknown', 'all_reduce'],
  dtypes: ['unknown', 'bfloat16'],
  copy_kinds: ['unknown'],
  strings: ['', 'cudaLaunchKernel', 'gemm', 'ncclDevKernel'],
  tracks: [
    {
      kind: 'host_thread',
      pid: 1,
      tid: 2,
      name: 't',
      process: 'p',
      device: -1,
      sort_index: 0,
      begin: 0,
      end: 1,
    },
    { kind: 'stream', pid: 0, tid: 7, name: 's', process: 'p', device: 3, sort_index: 1, begin: 1, end: 3 },
  ],
};

function rankOfHeader(writer: BlockWriter, header: object): BlockWriter {
  const text = JSON.stringify(header);
  return writer
    .u32(new TextEncoder().encode(text).length)
    .text(text)
    .f64(0, 100, 400) // start
    .f64(10, 200, 300) // dur
    .f64(9, 9, 0) // correlation
    .column32(0, 1, 1) // track
    .column32(1, 2, 3) // name
    .column8(1, 2, 0) // kind
    .f64(1, 24, 1, 1, 512, 1, 1, 96, 0) // kernels
    .f64(2, 1, 1, 8, 50, 50, 4, 100) // collectives
    .f64() // copies
    .f64(); // ops
}

function block(header: object = kHeader): Uint8Array {
  return rankOfHeader(new BlockWriter().text('TDB1').u32(1), header).done();
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ClientError);
    assert.equal(error.code, 'malformed_reply');
    return `${error.message} (${error.where})`;
  }
  return assert.fail('no error');
}

test('a block is decoded onto the common clock, kinds by the block’s own list', () => {
  const trace = decodeColumns(block());
  const rank = trace.ranks[0]!;
  assert.equal(rank.rank, 3);
  assert.deepEqual([...rank.startNs], [500, 600, 900]);
  assert.deepEqual([...rank.durNs], [10, 200, 300]);
  assert.deepEqual(
    [0, 1, 2].map((slice) => kindOf(rank, slice)),
    ['runtime', 'compute', 'comm'],
  );
  assert.equal(nameOf(rank, 2), 'ncclDevKernel');
  assert.deepEqual(trace.extent, { beginNs: 500, endNs: 1200 });
  assert.deepEqual(kernelArgs(rank, 1)?.grid, [24, 1, 1]);
  assert.equal(kernelArgs(rank, 2), undefined);
  assert.deepEqual(collectiveArgs(rank, 2), {
    kind: 'all_reduce',
    dtype: 'bfloat16',
    groupSize: 8,
    inCount: 50,
    outCount: 50,
    sequence: 4,
    sizeBytes: 100,
  });
  assert.equal(launchOf(rank, 1), 0);
  assert.equal(launchOf(rank, 2), undefined, 'correlation 0 is none');
  assert.deepEqual(launchedBy(rank, 0), [1]);
});

test('columns are views of the block where the clock needs no shift', () => {
  const bytes = block({ ...kHeader, clock_offset_ns: 0 });
  const rank = decodeColumns(bytes).ranks[0]!;
  assert.equal(rank.startNs.buffer, bytes.buffer);
  assert.equal(rank.durNs.buffer, bytes.buffer);
});

test('a block at an odd address is copied, not refused', () => {
  const bytes = block();
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.deepEqual([...decodeColumns(shifted.subarray(3)).ranks[0]!.startNs], [500, 600, 900]);
});

test('several ranks come out by rank number', () => {
  const writer = new BlockWriter().text('TDB1').u32(2);
  rankOfHeader(writer, kHeader);
  rankOfHeader(writer, { ...kHeader, rank: 1 });
  assert.deepEqual(
    decodeColumns(writer.done()).ranks.map((rank) => rank.rank),
    [1, 3],
  );
});

test('every cut of a block is an error that says where, never a crash or a short trace', () => {
  const bytes = block();
  const needed = bytes.length;
  for (let length = 0; length < needed; length += 1) {
    assert.match(
      messageOf(() => decodeColumns(bytes.slice(0, length))),
      /\(.+\)$/,
    );
  }
});

test('bad headers are refused with the field named', () => {
  assert.match(
    messageOf(() => decodeColumns(new TextEncoder().encode('TDR1\0\0\0\0'))),
    /TDB1/,
  );
  assert.match(
    messageOf(() => decodeColumns(block({ ...kHeader, slices: -1 }))),
    /"slices" is -1/,
  );
  assert.match(
    messageOf(() => decodeColumns(block({ ...kHeader, kinds: ['comm'] }))),
    /kind/,
  );
  assert.match(
    messageOf(() => decodeColumns(block({ ...kHeader, strings: [''] }))),
    /no name/,
  );
  const [first, second] = kHeader.tracks;
  assert.match(
    messageOf(() => decodeColumns(block({ ...kHeader, tracks: [first, { ...second, end: 9 }] }))),
    /\[1, 9\) of 3/,
  );
});

test('a framed reply is split into JSON and blob', () => {
  const json = '{"a":1}';
  const bytes = new BlockWriter().text('TDR1').u32(json.length).text(json).raw(1, 2, 3).done();
  assert.deepEqual(unframe(bytes, 'open'), { json: { a: 1 }, blob: Uint8Array.of(1, 2, 3) });
  assert.match(
    messageOf(() => unframe(bytes.subarray(0, 6), 'open')),
    /TDR1/,
  );
  assert.match(
    messageOf(() => unframe(bytes.subarray(0, 12), 'open')),
    /announces 7 bytes/,
  );
});
