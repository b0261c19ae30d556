// The traced step over the same step with the fix applied: one scale, one origin, a bracket for each step and the win.
import { formatMs, formatPercent } from '../../base/format';
import type { Interval } from '../../base/units';
import type { RevealedDrill, OpenedDrill } from '../../client/client';
import type { Truth } from '../../client/messages';
import { TimelineView, type Highlight, type RowRef } from '../../timeline';
import { matchingRows, shifted, stepBracket, winBracket, type Comparison } from './compare';

interface Props {
  readonly opened: OpenedDrill;
  readonly revealed: RevealedDrill;
  readonly rows: readonly RowRef[];
  readonly shown: Comparison;
  readonly stepNumber: number;
  // Relative to each step's begin.
  readonly window: Interval;
  readonly onWindow: (window: Interval) => void;
  readonly highlights: readonly Highlight[];
  readonly theme: string;
}

const kNoRanks: ReadonlySet<number> = new Set();

export function BeforeAfter(props: Props) {
  const { opened, revealed, rows, shown, stepNumber, window, onWindow, highlights, theme } = props;
  const { truth } = revealed.reveal;
  const fixedRows = matchingRows(rows, opened.trace, revealed.fixedTrace);
  const beginNs = shown.step.beginNs;
  const fixedBeginNs = shown.fixedStep.beginNs;
  const win = winBracket(shown);
  const fixedLabel = fixedStepLabel(shown, truth);
  return (
    <section class="ba" aria-label="Before and after">
      <h2>
        As traced{' '}
        <small>
          {truth.win.win_ns === 0 ? '' : 'both on one scale, '}step {stepNumber}
        </small>
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
          highlights={highlights}
          brackets={[stepBracket(shown.step, `step ${formatMs(shown.step.endNs - beginNs)}`)]}
          theme={theme}
          label="As traced"
        />
      </div>
      {truth.win.win_ns === 0 ? (
        <h2>
          Nothing to fix <small>the same job, seed and length</small>
        </h2>
      ) : (
        <>
          <h2>
            Fix applied, same seed{' '}
            <small>
              win <span class="num">{formatMs(truth.win.win_ns)}</span>,{' '}
              <span class="num">{formatPercent(truth.win.win_frac)}</span> of the step
              {truth.win.per === 'step' ? ', mean of the shown steps' : `, for the same ${truth.win.per}s`}
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
                stepBracket(shown.fixedStep, fixedLabel),
                ...(win !== undefined && truth.win.per === 'step' ? [win] : []),
              ]}
              theme={theme}
              label="Fix applied"
            />
          </div>
        </>
      )}
    </section>
  );
}

// A fix may put more work into a step; its length then stands for that many times the tokens.
function fixedStepLabel({ fixedStep }: Comparison, { win }: Truth): string {
  const lengthNs = fixedStep.endNs - fixedStep.beginNs;
  const times = win.per === 'step' ? 1 : Math.round(lengthNs / Math.max(1, win.fixed_step_ns));
  return times > 1 ? `${formatMs(lengthNs)} for ${times} x the ${win.per}s` : formatMs(lengthNs);
}
