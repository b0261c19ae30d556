// What the trace shows: each sentence with the letters of the intervals that prove it. A letter under the pointer or with
// the focus is framed solid on the timeline, which moves there.
import type { ComponentChildren } from 'preact';
import type { Evidence, Truth } from '../../client/messages';
import { NumbersText } from '../numbers_text';

interface Props {
  readonly truth: Truth;
  readonly focused: ReadonlySet<string>;
  readonly onFocusLetters: (letters: readonly string[]) => void;
  // The learner's own measurement, made now: what they said, and what it prints.
  readonly yours: ComponentChildren;
}

export function EvidenceList({ truth, focused, onFocusLetters, yours }: Props) {
  const byLetter = new Map(truth.evidence.map((one) => [one.letter, one]));
  return (
    <section class="ev" aria-label="What the trace shows">
      <h2>What the trace shows</h2>
      <ol>
        {truth.signature.map((sentence, index) => (
          <li
            key={index}
            class={sentence.evidence.some((letter) => focused.has(letter)) ? 'on' : ''}
            onMouseEnter={() => sentence.evidence.length > 0 && onFocusLetters(sentence.evidence)}
          >
            <b>{index === 0 ? 'Signature' : ''}</b>
            <div>
              <NumbersText text={lastWordOf(sentence.text).before} />
              <span class="nowrap">
                <NumbersText text={lastWordOf(sentence.text).word} />{' '}
                {sentence.evidence.map((letter) => (
                  <LetterButton
                    key={letter}
                    letter={letter}
                    evidence={byLetter.get(letter)}
                    isOn={focused.has(letter)}
                    onFocusLetters={onFocusLetters}
                  />
                ))}
              </span>
            </div>
          </li>
        ))}
        {yours}
        <li>
          <b>Confirm</b>
          <div>
            {truth.confirm.title}. <NumbersText text={truth.confirm.text} />
            {(truth.confirm.command || truth.confirm.prints.length > 0) && (
              <pre class="out" tabIndex={0} aria-label="The measurement and what it prints">
                {truth.confirm.command && (
                  <span class="cmd">
                    {truth.confirm.command}
                    {'\n'}
                  </span>
                )}
                {truth.confirm.prints.join('\n')}
              </pre>
            )}
          </div>
        </li>
        <li>
          <b>Fix</b>
          <div>
            <NumbersText text={truth.fix.text || truth.fix.title} />
          </div>
        </li>
      </ol>
    </section>
  );
}

// The last word (with its number, if it is a unit) stays on one line with the letters that follow it.
function lastWordOf(text: string): { readonly before: string; readonly word: string } {
  const word = /(?:\d[\d.,]*\s)?\S+$/u.exec(text)?.[0] ?? '';
  return { before: text.slice(0, text.length - word.length), word };
}

interface LetterProps {
  readonly letter: string;
  readonly evidence: Evidence | undefined;
  readonly isOn: boolean;
  readonly onFocusLetters: (letters: readonly string[]) => void;
}

function LetterButton({ letter, evidence, isOn, onFocusLetters }: LetterProps) {
  return (
    <button
      type="button"
      class="tag letter"
      data-on={isOn}
      data-letter={letter}
      aria-label={`Evidence ${letter}: ${evidence?.text ?? 'not on the timeline'}`}
      title={evidence?.text}
      onFocus={() => onFocusLetters([letter])}
      onClick={() => onFocusLetters([letter])}
    >
      {letter}
    </button>
  );
}
