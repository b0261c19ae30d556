// What the trace does not hold costs time on the clock, as it does at work: the price stands on the button, and is paid
// with the click.
import type { MeasurementOption, Measured } from '../client/messages';
import type { Purchase } from './state';

interface Props {
  readonly options: readonly MeasurementOption[];
  readonly bought: ReadonlyMap<string, Purchase>;
  readonly onBuy: (option: MeasurementOption) => void;
}

export function MeasurePanel({ options, bought, onBuy }: Props) {
  const priced = options.filter((option) => option.price_s !== null);
  if (priced.length === 0) return null;
  return (
    <section class="paid" aria-labelledby="paid-title">
      <h3 id="paid-title">
        Not in the trace <small>costs time on the clock</small>
      </h3>
      <ul>
        {priced.map((option) => (
          <PaidRow
            key={option.id}
            option={option}
            purchase={bought.get(option.id)}
            onBuy={() => onBuy(option)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly option: MeasurementOption;
  readonly purchase: Purchase | undefined;
  readonly onBuy: () => void;
}

function PaidRow({ option, purchase, onBuy }: RowProps) {
  const price = `${option.price_s} s`;
  const isOpen = purchase === undefined || purchase.phase === 'failed';
  return (
    <li>
      <div class="paid-row">
        <span>{option.title}</span>
        {isOpen ? (
          <button
            type="button"
            class="btn"
            aria-label={`${option.title}: measure, for ${price} of the clock`}
            onClick={onBuy}
          >
            {price}
          </button>
        ) : (
          <small class="muted">{purchase.phase === 'running' ? 'running\u2026' : `spent ${price}`}</small>
        )}
      </div>
      <div role="status">
        {purchase?.phase === 'done' && <ToolOutput measured={purchase.measured} title={option.title} />}
        {purchase?.phase === 'failed' && (
          <p class="field-error">
            <span aria-hidden="true">✕</span> Not measured: {purchase.message} The time was given back.
          </p>
        )}
      </div>
    </li>
  );
}

export function ToolOutput({ measured, title }: { readonly measured: Measured; readonly title: string }) {
  return (
    <pre class="out" tabIndex={0} aria-label={`What it prints: ${title}`}>
      <span class="cmd">
        {measured.command}
        {'\n'}
      </span>
      {measured.prints.join('\n')}
    </pre>
  );
}
