// Home: what this is, how a drill goes, and the way into one.
import { useEffect, useState } from 'preact/hooks';
import { shorten } from '../base';
import type { Attempt, AttemptStore } from '../client/attempts';
import type { ClientError } from '../client/client_error';
import { isMode, kModes, kModeTexts } from '../drill';
import { drillHash } from './router';
import type { Settings } from './settings';

interface Props {
  readonly settings: Settings;
  readonly error: ClientError | undefined;
  readonly attempts: AttemptStore;
  readonly onChange: (settings: Partial<Settings>) => void;
  readonly onNewTrace: () => void;
}

const kSteps = [
  {
    title: 'Read',
    text: 'A prompt and a timeline of every rank. Read it out loud in the fixed order: step boundary, gaps, overlap, longest kernel; then, and only then, one kernel.',
    aside: '2:00',
  },
  {
    title: 'Commit',
    text: 'Say what it is, where it shows, the number that decides it, the measurement that would confirm it, the fix, the win and how sure you are. \u201cHealthy\u201d and \u201ccannot tell\u201d are answers.',
    aside: '7 parts',
  },
  {
    title: 'Compare',
    text: 'The cause with the intervals that prove it, the code before and after, and the same job run again with the fix applied. Your answer is marked part by part.',
    aside: 'measured',
  },
] as const;

export function Home({ settings, error, attempts, onChange, onNewTrace }: Props) {
  return (
    <main class="home">
      <section class="hero">
        <div>
          <h1>Read a GPU timeline. Commit. Then see the cause.</h1>
          <p class="lead">
            A simulated job appears, with one thing wrong or nothing. You have two minutes to find it, mark
            it, put a number on it and predict the win.
          </p>
        </div>
        <div class="cta">
          <button type="button" class="btn primary big" onClick={onNewTrace}>
            New trace <kbd>N</kbd>
          </button>
          <Choices settings={settings} onChange={onChange} />
        </div>
      </section>
      {error !== undefined && (
        <section class="panel message" role="alert">
          <h2>No trace was drawn</h2>
          <p>{error.message}</p>
          {error.where !== '' && <p class="where mono">{error.where}</p>}
        </section>
      )}
      <section class="panel first-time">
        <div>
          <h2>First time here: one walked example, two minutes</h2>
          <p>The fixed order on a real drill: step boundary, gaps, overlap, longest kernel; then a commit.</p>
        </div>
        <a class="btn big" href="#/walk">
          Walk through it
        </a>
      </section>
      <ol class="protocol">
        {kSteps.map((step, index) => (
          <li key={step.title} class="panel">
            <h2>
              <span class="box" aria-hidden="true">
                {index + 1}
              </span>
              {step.title}
              <small class="mono">{step.aside}</small>
            </h2>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
      <Recent attempts={attempts} />
      <OpenByName />
      <p class="foot">
        <span>A link to a drill gives everybody the same trace and says nothing of the answer.</span>
        <span>No account. Nothing leaves this machine.</span>
      </p>
    </main>
  );
}

function Choices({ settings, onChange }: Pick<Props, 'settings' | 'onChange'>) {
  const isFree = settings.clockMode === 'free';
  return (
    <div class="choices">
      <label>
        <span>Level</span>
        <select
          class="input"
          value={settings.level}
          onChange={(event) =>
            onChange({ level: event.currentTarget.value === 'hard' ? 'hard' : 'standard' })
          }
        >
          <option value="standard">standard</option>
          <option value="hard">hard</option>
        </select>
      </label>
      <label>
        <span>Shown as</span>
        <select
          class="input"
          value={settings.mode}
          title={kModeTexts[settings.mode].text}
          onChange={({ currentTarget: { value } }) => isMode(value) && onChange({ mode: value })}
        >
          {kModes.map((mode) => (
            <option key={mode} value={mode}>
              {kModeTexts[mode].title}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isFree}
        onClick={() => onChange({ clockMode: isFree ? 'limit' : 'free' })}
      >
        <i aria-hidden="true" />
        No clock
      </button>
    </div>
  );
}

const kRecent = 3;

// The last attempts, with the way to the rest.
function Recent({ attempts }: Pick<Props, 'attempts'>) {
  const [last, setLast] = useState<readonly Attempt[]>([]);
  useEffect(() => {
    attempts
      .all()
      .then((kept) => setLast(kept.slice(-kRecent).map((one) => one.record)))
      .catch(() => undefined);
  }, [attempts]);
  if (last.length === 0) return null;
  return (
    <section class="panel recent" aria-labelledby="recent">
      <h2 id="recent">
        Last attempts <a href="#/history">History</a>
      </h2>
      <ul>
        {[...last].reverse().map((one) => (
          <li key={one.at_ms}>
            <span class="sign" data-grade={one.grades.diagnosis}>
              {one.grades.diagnosis === 'right' ? '\u2713 right' : '\u2715 wrong'}
            </span>
            <a class="mono" href={drillHash(one.drill)}>
              {one.drill}
            </a>
            <span class="num">
              {one.right} of {one.of}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// A drill that somebody else named: the name or the whole link.
function OpenByName() {
  return (
    <form
      class="by-name"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('drill');
        const text = field instanceof HTMLInputElement ? field.value.trim() : '';
        const drill = text.replace(/^.*#\/drill\//, '');
        if (drill !== '') location.hash = drillHash(drill);
      }}
    >
      <label for="by-name">The same trace as somebody else</label>
      <input
        id="by-name"
        name="drill"
        class="input mono"
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="core.1/48213, or a link"
      />
      <button type="submit" class="btn">
        Open
      </button>
    </form>
  );
}

export function UnknownPage({
  hash,
  onNewTrace,
}: {
  readonly hash: string;
  readonly onNewTrace: () => void;
}) {
  return (
    <main class="plain">
      <section class="message">
        <h1>There is no page at this address</h1>
        <p>
          <span class="mono">{shorten(hash)}</span> was asked; a drill is at{' '}
          <span class="mono">#/drill/core.1/SEED</span>.
        </p>
        <div class="acts">
          <button type="button" class="btn big primary" onClick={onNewTrace}>
            New trace <kbd>N</kbd>
          </button>
          <a class="btn big ghost" href="#/">
            Home
          </a>
        </div>
      </section>
    </main>
  );
}
