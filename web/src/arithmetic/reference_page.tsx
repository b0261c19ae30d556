// Formulas and tables. While it can be seen, attempts are open-book.
import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../client/client';
import { fetchReference, type MathCategory, type Reference } from './api';
import { noteReference } from './book';
import { messageOf } from './use_sum';

const kNoteMs = 2000;

export function ReferencePage({ client }: { readonly client: Client }) {
  const [reference, setReference] = useState<Reference>();
  const [error, setError] = useState('');
  useEffect(() => {
    fetchReference(client)
      .then(setReference)
      .catch((caught: unknown) => setError(messageOf(caught)));
  }, [client]);
  useEffect(() => {
    const note = () => document.visibilityState === 'visible' && noteReference(Date.now());
    note();
    const timer = setInterval(note, kNoteMs);
    document.addEventListener('visibilitychange', note);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', note);
    };
  }, []);
  if (reference === undefined) {
    return <main class="plain">{error !== '' && <p role="alert">{error}</p>}</main>;
  }
  return (
    <main class="reference">
      <header>
        <h1>Reference</h1>
        <p class="muted">
          A sum that is open while this page is read counts as open-book. <a href="#/math">Back to the sum</a>
        </p>
      </header>
      {reference.tables.map((table) => (
        <section key={table.title} aria-labelledby={`table-${table.title}`}>
          <h2 id={`table-${table.title}`}>{table.title}</h2>
          <p class="muted">{table.note}</p>
          <div class="scroll-x" tabIndex={0} role="region" aria-label={table.title}>
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">{table.title === 'Chips' ? 'Chip' : 'Model'}</th>
                  {table.columns.map((column) => (
                    <th key={column.title} scope="col" class="right">
                      {column.title}
                      {column.unit !== '' && <small> {column.unit}</small>}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row) => (
                  <tr key={row.title}>
                    <th scope="row">{row.title}</th>
                    {row.values.map((value, index) => (
                      <td key={index} class="num">
                        {value ?? '\u2013'}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Sources rows={table.rows} />
        </section>
      ))}
      <section aria-labelledby="formulas">
        <h2 id="formulas">Formulas</h2>
        <Formulas title="Core" list={reference.formulas.filter((one) => one.is_core)} />
        <Formulas title="Further" list={reference.formulas.filter((one) => !one.is_core)} />
      </section>
    </main>
  );
}

function Formulas({ title, list }: { readonly title: string; readonly list: readonly MathCategory[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="formulas">
        {list.map((one) => (
          <div key={one.id}>
            <dt>{one.title}</dt>
            <dd>
              <span class="mono">{one.identity}</span>
              <small>{one.source}</small>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Sources({ rows }: { readonly rows: Reference['tables'][number]['rows'] }) {
  const sources = new Map<string, string[]>();
  for (const row of rows) sources.set(row.source, [...(sources.get(row.source) ?? []), row.title]);
  return (
    <ul class="sources">
      {[...sources].map(([source, titles]) => (
        <li key={source}>
          <small>
            {sources.size > 1 && `${titles.join(', ')}: `}
            {source}
          </small>
        </li>
      ))}
    </ul>
  );
}
