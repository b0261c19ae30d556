// Home: what this is, how a drill goes, and the way into one.
import { shorten } from '../base';
import type { ClientError } from '../client/client_error';
import { drillHash } from './router';
import type { ClockMode } from './settings';

interface Props {
  readonly clockMode: ClockMode;
  readonly error: ClientError | undefined;
  readonly onClockMode: (mode: ClockMode) => void;
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

export function Home({ clockMode, error, onClockMode, onNewTrace }: Props) {
  const isFree = clockMode === 'free';
  return (
    <main class="home">
      <section class="hero">
        <div>
          <h1>Read a GPU timeline. Commit. Then see the cause.</h1>
          <p class="lead">
            A simulated training job appears, with one thing wrong or nothing. You have two minutes to find
            it, mark it, put a number on it and predict the win.
          </p>
        </div>
        <div class="cta">
          <button type="button" class="btn primary big" onClick={onNewTrace}>
            New trace <kbd>N</kbd>
          </button>
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={isFree}
            onClick={() => onClockMode(isFree ? 'limit' : 'free')}
          >
            <i aria-hidden="true" />
            No clock
          </button>
        </div>
      </section>
      {error !== undefined && (
        <section class="panel message" role="alert">
          <h2>No trace was drawn</h2>
          <p>{error.message}</p>
          {error.where !== '' && <p class="where mono">{error.where}</p>}
        </section>
      )}
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
      <OpenByName />
      <p class="foot">
        <span>A link to a drill gives everybody the same trace and says nothing of the answer.</span>
        <span>No account. Nothing leaves this machine.</span>
      </p>
    </main>
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
        placeholder="first.1/48213, or a link"
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
          <span class="mono">#/drill/first.1/SEED</span>.
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
