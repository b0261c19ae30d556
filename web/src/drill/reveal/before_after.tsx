// The traced step over the same step with the fix applied: one scale, one origin, a bracket for each step and the win.
import { formatMs, formatPercent } from '../../base/format';
import type { Interval } from '../../base/units';
import type { RevealedDrill, OpenedDrill } from '../../client/client';
import { TimelineView, type RowRef } from '../../timeline';
import { highlightsOf, matchingRows, shifted, stepBracket, winBracket, type Comparison } from './compare';

interface Props {
  readonly opened: OpenedDrill;
  readonly revealed: RevealedDrill;
  readonly rows: readonly RowRef[];
  readonly shown: Comparison;
  readonly stepNumber: number;
  // Relative to each step's begin.
  readonly window: Interval;
  readonly onWindow: (window: Interval) => void;
  readonly focused: ReadonlySet<string>;
  readonly theme: string;
}

const kNoRanks: ReadonlySet<number> = new Set();

export function BeforeAfter(props: Props) {
  const { opened, revealed, rows, shown, stepNumber, window, onWindow, focused, theme } = props;
  const { truth } = revealed.reveal;
  const fixedRows = matchingRows(rows, opened.trace, revealed.fixedTrace);
  const beginNs = shown.step.beginNs;
  const fixedBeginNs = shown.fixedStep.beginNs;
  const win = winBracket(shown);
  const fixedStepMs = formatMs(shown.fixedStep.endNs - fixedBeginNs);
  return (
    <section class="ba" aria-label="Before and after">
      <h2>
        As traced <small>both on one scale, step {stepNumber}</small>
      </h2>
      <div class="ba-view">
        <TimelineView
          trace={opened.trace}
          view={shifted(window, beginNs)}
          onView={(view) => onWindow(shifted(view, -beginNs))}
          openRanks={kNoRanks}
          onToggleRank={() => undefined}
          compact
          onlyRows={rows}
          originNs={beginNs}
          highlights={highlightsOf(truth.evidence, focused)}
          brackets={[stepBracket(shown.step, `step ${formatMs(shown.step.endNs - beginNs)}`)]}
          theme={theme}
          label="As traced"
        />
      </div>
      <h2>
        Fix applied, same seed{' '}
        <small>
          win <span class="num">{formatMs(truth.win.win_ns)}</span>,{' '}
          <span class="num">{formatPercent(truth.win.win_frac)}</span> of the {truth.win.per}
          {truth.win.per === 'step' ? ', mean of the steady steps' : '\u2019s time'}
        </small>
      </h2>
      <div class="ba-view">
        <TimelineView
          trace={revealed.fixedTrace}
          view={shifted(window, fixedBeginNs)}
          onView={(view) => onWindow(shifted(view, -fixedBeginNs))}
          openRanks={kNoRanks}
          onToggleRank={() => undefined}
          compact
          onlyRows={fixedRows}
          originNs={fixedBeginNs}
          brackets={[
            stepBracket(shown.fixedStep, fixedStepMs),
            ...(win !== undefined && truth.win.per === 'step' ? [win] : []),
          ]}
          theme={theme}
          label="Fix applied"
        />
      </div>
    </section>
  );
}
