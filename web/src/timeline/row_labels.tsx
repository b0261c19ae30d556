import type { Layout, Row } from './rows';

export interface RowLabelsProps {
  readonly layout: Layout;
  readonly focusedRow: string | undefined;
  readonly onFocusRow: (id: string) => void;
  readonly onToggleRank: (rank: number) => void;
}

/** The column on the left: ranks open and close, rows can be focused so that keys act on them. */
export function RowLabels({ layout, focusedRow, onFocusRow, onToggleRank }: RowLabelsProps) {
  return (
    <div class="tl-labels">
      {layout.rows.map((row) => {
        const place = { top: `${row.top}px`, height: `${row.height}px` };
        if (row.kind === 'header' || (row.kind === 'collapsed' && row.note)) {
          return (
            <button
              key={`rank ${row.rank.rank}`}
              type="button"
              class={`tl-label tl-label-${row.kind}`}
              style={place}
              aria-expanded={row.kind === 'header'}
              title={`${row.label}, ${row.note}`}
              onClick={() => onToggleRank(row.rank.rank)}
            >
              <span class="tl-triangle" aria-hidden="true" />
              <b>{row.label}</b> <small>{row.note}</small>
            </button>
          );
        }
        return (
          <div
            key={row.id}
            class={`tl-label tl-label-row${focusedRow === row.id ? ' is-focused' : ''}`}
            style={place}
            role="group"
            tabIndex={0}
            aria-label={rowName(row)}
            title={rowName(row)}
            onFocus={() => onFocusRow(row.id)}
          >
            <b>{row.label}</b> <small>{row.note}</small>
          </div>
        );
      })}
    </div>
  );
}

function rowName(row: Row): string {
  const rank = row.label === `Rank ${row.rank.rank}` ? '' : `, rank ${row.rank.rank}`;
  return `${row.label}${row.note ? ` ${row.note}` : ''}${rank}`;
}
