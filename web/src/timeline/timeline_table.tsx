import { useMemo, useState } from 'preact/hooks';
import { formatBytes, formatCount, formatDuration, formatTimestamp } from '../base/format';
import type { Ns } from '../base/units';
import { collectiveArgs, copyArgs } from '../client/lookup';
import { endOf, nameOf, sameSlice, startOf, type SliceRef, type TraceModel } from '../client/trace_model';
import { firstEndingAfter } from './lanes';
import { undrawnText, type Layout } from './rows';
import type { View } from './types';

const kMostRows = 500;

interface Entry {
  readonly ref: SliceRef;
  readonly row: string;
  readonly name: string;
  readonly startNs: Ns;
  readonly durNs: Ns;
  /** -1 if the trace does not say or there is none. */
  readonly bytes: number;
}

const kColumns = [
  {
    key: 'rank',
    order: 'ascending',
    title: 'Rank',
    compare: (a: Entry, b: Entry) => a.ref.rank - b.ref.rank,
  },
  {
    key: 'row',
    order: 'ascending',
    title: 'Row',
    compare: (a: Entry, b: Entry) => compareText(a.row, b.row),
  },
  {
    key: 'name',
    order: 'ascending',
    title: 'Name',
    compare: (a: Entry, b: Entry) => compareText(a.name, b.name),
  },
  {
    key: 'start',
    order: 'ascending',
    title: 'Start',
    compare: (a: Entry, b: Entry) => a.startNs - b.startNs,
  },
  { key: 'length', order: 'descending', title: 'Length', compare: (a: Entry, b: Entry) => b.durNs - a.durNs },
  { key: 'bytes', order: 'descending', title: 'Bytes', compare: (a: Entry, b: Entry) => b.bytes - a.bytes },
] as const;
type ColumnKey = (typeof kColumns)[number]['key'];

export interface TimelineTableProps {
  readonly trace: TraceModel;
  readonly layout: Layout;
  readonly view: View;
  readonly originNs: Ns;
  readonly picked: SliceRef | undefined;
  readonly onPick: (ref: SliceRef) => void;
}

/** The window as a real table: what the canvas shows, in text. Sorted before it is cut, and says what it leaves out. */
export function TimelineTable({ layout, view, originNs, picked, onPick }: TimelineTableProps) {
  const [sortKey, setSortKey] = useState<ColumnKey>('start');
  const entries = useMemo(() => entriesOf(layout, view), [layout, view]);
  const sorted = useMemo(() => {
    const column = kColumns.find((candidate) => candidate.key === sortKey) ?? kColumns[3];
    return [...entries].sort((a, b) => column.compare(a, b) || a.startNs - b.startNs).slice(0, kMostRows);
  }, [entries, sortKey]);
  return (
    <div class="tl-table" tabIndex={0} role="region" aria-label="Slices in the window">
      <table>
        <caption>
          {formatCount(entries.length)} slices of the open ranks touch the window
          {entries.length > kMostRows && `; the first ${kMostRows} in this order are listed`}
          {undrawnOf(layout).map((text) => `; ${text}`)}
        </caption>
        <thead>
          <tr>
            {kColumns.map((column) => (
              <th key={column.key} scope="col" aria-sort={sortKey === column.key ? column.order : 'none'}>
                <button type="button" onClick={() => setSortKey(column.key)}>
                  {column.title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((entry) => (
            <tr
              key={`${entry.ref.rank}/${entry.ref.slice}`}
              aria-current={sameSlice(entry.ref, picked) ? 'true' : undefined}
            >
              <td>{entry.ref.rank}</td>
              <td>{entry.row}</td>
              <td>
                <button type="button" onClick={() => onPick(entry.ref)}>
                  {entry.name}
                </button>
              </td>
              <td>{formatTimestamp(entry.startNs - originNs)}</td>
              <td>{formatDuration(entry.durNs)}</td>
              <td>{entry.bytes < 0 ? '' : formatBytes(entry.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function entriesOf(layout: Layout, view: View): Entry[] {
  const entries: Entry[] = [];
  for (const row of layout.rows) {
    if (row.kind === 'collapsed' || row.kind === 'header') continue;
    // Folding is for the eye: the table lists what a folded row hides as well.
    for (const lane of [...row.lanes.map((placed) => placed.lane), ...(row.fold?.hidden ?? [])]) {
      for (let index = firstEndingAfter(lane, view.beginNs); index < lane.count; index += 1) {
        const slice = lane.slice[index] ?? 0;
        if (startOf(row.rank, slice) >= view.endNs) break;
        entries.push({
          ref: { rank: row.rank.rank, slice },
          row: row.label,
          name: nameOf(row.rank, slice),
          startNs: startOf(row.rank, slice),
          durNs: endOf(row.rank, slice) - startOf(row.rank, slice),
          bytes: (collectiveArgs(row.rank, slice) ?? copyArgs(row.rank, slice))?.sizeBytes ?? -1,
        });
      }
    }
  }
  return entries;
}

/** What open ranks hold and no row shows. */
function undrawnOf(layout: Layout): string[] {
  return layout.rows.flatMap((row) => {
    const text = row.kind === 'header' ? undrawnText(row.rank) : '';
    return text ? [`${row.label}: ${text}`] : [];
  });
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
