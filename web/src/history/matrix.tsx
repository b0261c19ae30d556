// The confusion matrix. A row with fewer than five attempts is outlined, not tinted: the count says all there is.
import type { HistoryView } from '../client/messages';

const kEnough = 5;

interface Props {
  readonly view: HistoryView;
  readonly titles: ReadonlyMap<string, string>;
}

export function Matrix({ view, titles }: Props) {
  const { diagnoses, counts } = view.matrix;
  const rows = view.causes
    .map((cause, row) => ({ cause, counts: counts[row] ?? [] }))
    .filter(({ cause }) => cause.attempts > 0);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="What is called what">
      <table class="matrix">
        <thead>
          <tr>
            <td />
            {diagnoses.map((id) => (
              <th key={id} scope="col" title={titles.get(id) ?? id}>
                <span>{titles.get(id) ?? id}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cause, counts: cells }) => (
            <tr key={cause.cause}>
              <th scope="row">{cause.title}</th>
              {diagnoses.map((id, column) => (
                <Cell
                  key={id}
                  count={cells[column] ?? 0}
                  of={cause.attempts}
                  isRight={id === cause.cause}
                  called={titles.get(id) ?? id}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly count: number;
  readonly of: number;
  readonly isRight: boolean;
  readonly called: string;
}

// Tint in four steps of the row's share; the number is what counts.
function Cell({ count, of, isRight, called }: CellProps) {
  const step = of < kEnough || count === 0 ? 0 : Math.ceil((count / of) * 4);
  return (
    <td
      data-right={isRight}
      data-step={step}
      data-few={of < kEnough && count > 0}
      title={count === 0 ? undefined : `${count} of ${of} called ${called}`}
    >
      {count === 0 ? '' : count}
    </td>
  );
}
