import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  formatBytes,
  formatDuration,
  formatFixed,
  formatPart,
  formatPercent,
  formatRate,
  formatTimestamp,
} from '../base/format';
import { lengthOf, type Ns } from '../base/units';
import { collectiveArgs, copyArgs, kernelArgs, launchOf, opArgs } from '../client/lookup';
import {
  endOf,
  kindOf,
  nameOf,
  rankOf,
  startOf,
  trackOf,
  type SliceRef,
  type TraceModel,
} from '../client/trace_model';
import { arrivalsOf, type Arrivals } from './arrivals';
import { measureSelection, type Measurement } from './measure';
import { titleOfRef } from './rows';
import type { Selection, TimelineDetailsProps } from './types';

export function TimelineDetails(props: TimelineDetailsProps) {
  return (
    <div class="tl-details">
      <SelectionPanel {...props} />
      <SlicePanel {...props} />
    </div>
  );
}

/** The selection as a measurement: its length and what the GPU did in it, by rank. */
export function SelectionPanel({ trace, openRanks, selection, selectionNote }: TimelineDetailsProps) {
  const measured = useMemo(
    () => (selection ? measureSelection(trace, selection, openRanks) : []),
    [trace, selection, openRanks],
  );
  return (
    <section class="tl-panel" aria-label="Selection">
      <div class="tl-panel-head">
        <h2>Selection</h2>
        {selection && <span class="tl-mono">{titleOfSelection(trace, selection, measured)}</span>}
        <span class="tl-panel-note">{selectionNote}</span>
      </div>
      {!selection && (
        <p class="tl-hint">
          <span class="tl-by-mouse">Drag on the rows or the ruler.</span>
          <span class="tl-by-touch">Press long on a row, then drag.</span>
        </p>
      )}
      {selection && measured.length === 0 && (
        <p class="tl-mono">{formatDuration(lengthOf(selection))}; no rank is open.</p>
      )}
      {measured.length === 1 && measured[0] && <OneRank measured={measured[0]} />}
      {measured.length > 1 && <SeveralRanks measured={measured} />}
    </section>
  );
}

function titleOfSelection(trace: TraceModel, selection: Selection, measured: readonly Measurement[]): string {
  const [row, ...more] = selection.rows;
  if (row && more.length === 0) return titleOfRef(trace, row);
  if (measured.length === 1 && measured[0]) {
    return `rank ${measured[0].rank}${selection.rows.length ? `, ${selection.rows.length} rows` : ''}`;
  }
  return `${measured.length} ranks`;
}

/** Exposed copies are rare; under what the last printed digit can hold they have no line of their own. */
const kLeastShare = 0.0005;

function OneRank({ measured }: { readonly measured: Measurement }) {
  const share = (ns: Ns) => (measured.lengthNs > 0 ? ns / measured.lengthNs : 0);
  const rows: readonly (readonly [string, Ns, string])[] = [
    ['Length', measured.lengthNs, 'length'],
    ['Busy', measured.lengthNs - measured.idleNs, 'length'],
    ['Compute', measured.computeNs, 'compute'],
    ['Exposed communication', measured.exposedCommNs, 'comm'],
    ...(share(measured.exposedCopyNs) >= kLeastShare
      ? [['Exposed copies', measured.exposedCopyNs, 'copy'] as const]
      : []),
    ['Idle', measured.idleNs, 'idle'],
  ];
  return (
    <table class="tl-measure">
      <tbody>
        {rows.map(([title, ns, kind]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{formatPart(ns, measured.lengthNs)}</td>
            <td>{formatPercent(share(ns))}</td>
            <td class="tl-measure-bar">
              <span class={`tl-bar-${kind}`} style={{ width: `${share(ns) * 100}%` }} />
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row">Kernels, longest</th>
          <td colSpan={2}>
            {measured.kernelCount}
            {measured.longest ? `, ${formatDuration(measured.longestNs)}` : ''}
          </td>
          <td />
        </tr>
      </tbody>
    </table>
  );
}

function SeveralRanks({ measured }: { readonly measured: readonly Measurement[] }) {
  const lengthNs = measured[0]?.lengthNs ?? 0;
  return (
    <div class="tl-scroll" tabIndex={0} role="region" aria-label="Selection by rank">
      <table class="tl-measure tl-measure-ranks">
        <caption>Length {formatDuration(lengthNs)}</caption>
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Compute</th>
            <th scope="col">Exposed comm.</th>
            <th scope="col">Idle</th>
            <th scope="col">Kernels</th>
          </tr>
        </thead>
        <tbody>
          {measured.map((one) => (
            <tr key={one.rank}>
              <th scope="row">{one.rank}</th>
              <td>{formatPart(one.computeNs, lengthNs)}</td>
              <td>{formatPart(one.exposedCommNs, lengthNs)}</td>
              <td>{formatPart(one.idleNs, lengthNs)}</td>
              <td>{one.kernelCount}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The picked slice: what the trace holds about it, its launch, and for collectives who arrived when. */
export function SlicePanel(props: TimelineDetailsProps) {
  const { trace, picked } = props;
  const rank = picked && rankOf(trace, picked.rank);
  if (!picked || !rank) {
    return (
      <section class="tl-panel" aria-label="Slice">
        <div class="tl-panel-head">
          <h2>Slice</h2>
        </div>
        <p class="tl-hint">
          <span class="tl-by-mouse">
            Click a slice, or step along a row with <kbd>,</kbd> and <kbd>.</kbd>
          </span>
          <span class="tl-by-touch">Tap a slice.</span>
        </p>
      </section>
    );
  }
  const originNs = props.originNs ?? trace.extent.beginNs;
  const showNames = props.showNames ?? true;
  const name = showNames ? nameOf(rank, picked.slice) : 'its name comes with the reveal';
  return (
    <section class="tl-panel" aria-label="Slice">
      <div class="tl-panel-head">
        <h2>Slice</h2>
        <span class="tl-mono" title={name}>
          {name}
        </span>
      </div>
      <dl class="tl-facts">
        <Fact title="Start">{formatTimestamp(startOf(rank, picked.slice) - originNs)}</Fact>
        <Fact title="Length">{formatDuration(endOf(rank, picked.slice) - startOf(rank, picked.slice))}</Fact>
        {showNames ? (
          <>
            <OwnFacts trace={trace} picked={picked} />
            <Launch trace={trace} picked={picked} onPick={props.onPick} />
            <ArrivalFacts trace={trace} picked={picked} openRanks={props.openRanks} />
          </>
        ) : (
          <Fact title="Rank">{picked.rank}</Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ title, wide, children }: { title: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <div class={wide ? 'tl-fact tl-fact-wide' : 'tl-fact'}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PickedProps {
  readonly trace: TraceModel;
  readonly picked: SliceRef;
}

function OwnFacts({ trace, picked }: PickedProps) {
  const rank = rankOf(trace, picked.rank);
  if (!rank) return null;
  const kernel = kernelArgs(rank, picked.slice);
  const collective = collectiveArgs(rank, picked.slice);
  const copy = copyArgs(rank, picked.slice);
  const op = opArgs(rank, picked.slice);
  const track = trackOf(rank, picked.slice);
  const correlation = rank.correlation[picked.slice] ?? 0;
  const isStream = track?.kind === 'stream';
  return (
    <>
      {collective && (
        <Fact title="Collective">
          {collective.kind}, {collective.dtype}
        </Fact>
      )}
      {collective && collective.sizeBytes >= 0 && (
        <Fact title="Bytes">{formatBytes(collective.sizeBytes)}</Fact>
      )}
      {collective && collective.groupSize > 0 && <Fact title="Group">{collective.groupSize} ranks</Fact>}
      {copy && <Fact title="Copy">{copy.kind}</Fact>}
      {copy && copy.sizeBytes >= 0 && <Fact title="Bytes">{formatBytes(copy.sizeBytes)}</Fact>}
      <Fact title="Rank">{`${picked.rank}${isStream ? `, stream ${track.tid}` : ''}`}</Fact>
      {!isStream && track && <Fact title="Thread">{track.name}</Fact>}
      {!isStream && <Fact title="Kind">{kindOf(rank, picked.slice).replace('_', ' ')}</Fact>}
      {kernel && (
        <Fact title="Grid, block">
          [{kernel.grid.join(',')}] [{kernel.block.join(',')}]
        </Fact>
      )}
      {op?.shapes && (
        <Fact title="Shapes" wide>
          {op.shapes}
        </Fact>
      )}
      {correlation !== 0 && <Fact title="Correlation">{correlation}</Fact>}
    </>
  );
}

function Launch({ trace, picked, onPick }: PickedProps & Pick<TimelineDetailsProps, 'onPick'>) {
  const rank = rankOf(trace, picked.rank);
  if (!rank || trackOf(rank, picked.slice)?.kind !== 'stream') return null;
  const launch = launchOf(rank, picked.slice);
  if (launch === undefined) {
    return (
      <Fact title="Launch" wide>
        not recorded
      </Fact>
    );
  }
  const earlierNs = startOf(rank, picked.slice) - startOf(rank, launch);
  return (
    <Fact title="Launch" wide>
      <button type="button" class="tl-link" onClick={() => onPick?.({ rank: picked.rank, slice: launch })}>
        {nameOf(rank, launch)}
      </button>
      , {formatDuration(earlierNs)} earlier <kbd aria-hidden="true">[</kbd>
    </Fact>
  );
}

function ArrivalFacts({ trace, picked, openRanks }: PickedProps & Pick<TimelineDetailsProps, 'openRanks'>) {
  const found = useMemo(() => arrivalsOf(trace, picked, openRanks), [trace, picked, openRanks]);
  if (!found) return null;
  const { busbw } = found;
  return (
    <>
      <Fact title="Arrivals" wide>
        {arrivalsText(found)}
      </Fact>
      {found.arrivals.length > 1 && (
        <Fact title="Ends" wide>
          {departuresText(found)}
        </Fact>
      )}
      {busbw && (
        <Fact title="Busbw" wide>
          {formatBytes(busbw.sizeBytes)} ×{' '}
          {formatFixed(busbw.factor, 3).replace(/0+$/, '').replace(/\.$/, '')} /{' '}
          {formatDuration(busbw.timeNs)} = {formatRate(busbw.bytesPerS)}
        </Fact>
      )}
    </>
  );
}

function arrivalsText(found: Arrivals): string {
  if (found.arrivals.length === 1) return `rank ${found.arrivals[0]?.rank} only; open a rank to see its own`;
  const texts = found.arrivals.map((one) =>
    one.latenessNs === 0 ? `rank ${one.rank} first` : `rank ${one.rank} +${formatDuration(one.latenessNs)}`,
  );
  if (found.unopened.length) texts.push(`${found.unopened.join(', ')} not opened`);
  return texts.join('; ');
}

/** Relative to the last arrival: the transfer, as each rank saw its end. */
function departuresText(found: Arrivals): string {
  const ends = found.arrivals.map((one) => one.endNs);
  if (Math.max(...ends) - Math.min(...ends) < 1000) {
    return `all, last arrival + ${formatDuration(found.endNs - found.lastArrivalNs)}`;
  }
  const each = found.arrivals.map(
    (one) => `${formatDuration(one.endNs - found.lastArrivalNs)} (rank ${one.rank})`,
  );
  return `last arrival + ${each.join(', ')}`;
}
