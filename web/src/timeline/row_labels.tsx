import { Fragment } from 'preact';
import type { Fold, Layout, Row } from './rows';

export interface RowLabelsProps {
  readonly layout: Layout;
  readonly focusedRow: string | undefined;
  readonly onFocusRow: (id: string) => void;
  readonly onToggleRank: (rank: number) => void;
  readonly onUnfold: (ids: readonly string[], isOpen: boolean) => void;
  /** On a phone a thread's label is too low for a finger: the rank has one button for all of its host rows. */
  readonly isPhone: boolean;
  readonly pinned: ReadonlySet<string>;
  readonly onPin?: ((id: string) => void) | undefined;
}

/** The column on the left: ranks open and close, host rows fold, rows can be focused so that keys act on them. */
export function RowLabels(props: RowLabelsProps) {
  return (
    <div class="tl-labels">
      {props.layout.rows.map((row) => {
        if (row.kind === 'header' || (row.kind === 'collapsed' && row.note)) {
          return <RankLabel key={`rank ${row.rank.rank}`} row={row} {...props} />;
        }
        return (
          <Fragment key={row.id}>
            <RowLabel row={row} {...props} />
            {props.onPin && !props.isPhone && <Pin row={row} {...props} />}
          </Fragment>
        );
      })}
    </div>
  );
}

type LabelProps = RowLabelsProps & { readonly row: Row };

function placeOf(row: Row) {
  return { top: `${row.top}px`, height: `${row.height}px` };
}

function RankLabel({ row, layout, onToggleRank, onUnfold, isPhone }: LabelProps) {
  const foldable = layout.rows.filter((one) => one.rank === row.rank && one.fold);
  const isOpen = foldable.every((one) => one.fold?.isOpen);
  return (
    <>
      <button
        type="button"
        class={`tl-label tl-label-${row.kind}`}
        style={placeOf(row)}
        aria-expanded={row.kind === 'header'}
        title={`${row.label}, ${row.note}`}
        onClick={() => onToggleRank(row.rank.rank)}
      >
        <span class="tl-triangle" aria-hidden="true" />
        <b>{row.label}</b> <small>{row.note}</small>
      </button>
      {isPhone && row.kind === 'header' && foldable.length > 0 && (
        <button
          type="button"
          class="tl-unfold"
          style={placeOf(row)}
          aria-expanded={isOpen}
          aria-label={`Host rows of rank ${row.rank.rank}`}
          onClick={() =>
            onUnfold(
              foldable.map((one) => one.id),
              !isOpen,
            )
          }
        >
          Host rows <span class="tl-triangle" aria-hidden="true" />
        </button>
      )}
    </>
  );
}

function RowLabel({ row, focusedRow, onFocusRow, onUnfold }: LabelProps) {
  const { fold } = row;
  const common = {
    class: `tl-label tl-label-row${focusedRow === row.id ? ' is-focused' : ''}`,
    style: placeOf(row),
    onFocus: () => onFocusRow(row.id),
  };
  if (fold) {
    const name = foldedName(row, fold);
    return (
      <button
        type="button"
        {...common}
        aria-expanded={fold.isOpen}
        aria-label={name}
        title={name}
        onClick={() => onUnfold([row.id], !fold.isOpen)}
      >
        <span class="tl-triangle" aria-hidden="true" />
        <b>{row.label}</b> <small>{row.note}</small>
      </button>
    );
  }
  return (
    <div {...common} role="group" tabIndex={0} aria-label={rowName(row)} title={rowName(row)}>
      <b>{row.label}</b> <small>{row.note}</small>
    </div>
  );
}

// For the pointer; the keyboard pins the focused row by T.
function Pin({ row, pinned, onPin }: LabelProps) {
  const isPinned = pinned.has(row.id);
  return (
    <button
      type="button"
      class="tl-pin"
      tabIndex={-1}
      style={placeOf(row)}
      aria-pressed={isPinned}
      aria-label={`Pin ${rowName(row)}`}
      title={`${isPinned ? 'Let go' : 'Pin to the top'} (T)`}
      onClick={() => onPin?.(row.id)}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M4 1h4v4l1.5 2h-7L4 5zM6 7v4" />
      </svg>
    </button>
  );
}

// Begins with the text on the label, which voice control is told by.
function foldedName(row: Row, { depths }: Fold): string {
  return `${row.label} ${row.note || `all ${depths}`} levels shown, rank ${row.rank.rank}`;
}

function rowName(row: Row): string {
  const rank = row.label === `Rank ${row.rank.rank}` ? '' : `, rank ${row.rank.rank}`;
  return `${row.label}${row.note ? ` ${row.note}` : ''}${rank}`;
}
