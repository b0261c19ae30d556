// The two parts of a contrast: which run, and what it has.
import type { Ref } from 'preact';
import type { Catalog, ContrastSide } from '../../client/messages';
import { DiagnosisBox } from '../diagnosis_box';

export const kSides: readonly { readonly id: ContrastSide; readonly title: string }[] = [
  { id: 'a', title: 'Run A' },
  { id: 'b', title: 'Run B' },
  { id: 'neither', title: 'Neither' },
];

interface Props {
  readonly catalog: Catalog;
  readonly side: ContrastSide | undefined;
  readonly diagnosis: string | undefined;
  readonly onSide: (side: ContrastSide) => void;
  readonly onDiagnosis: (id: string | undefined) => void;
  readonly sideRef: Ref<HTMLButtonElement>;
  readonly diagnosisRef: Ref<HTMLInputElement>;
}

export function ContrastForm(props: Props) {
  const { catalog, side, diagnosis, onSide, onDiagnosis, sideRef, diagnosisRef } = props;
  const tabStop = side ?? kSides[0]?.id;
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = kSides.findIndex((one) => one.id === side);
    const next = at < 0 ? (move > 0 ? 0 : kSides.length - 1) : at + move;
    const chosen = kSides[(next + kSides.length) % kSides.length];
    if (chosen === undefined) return;
    onSide(chosen.id);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-side="${chosen.id}"]`)?.focus();
  };
  return (
    <div class="form">
      <div class="field">
        <kbd aria-hidden="true">1</kbd>
        <div>
          <div class="lab">
            <span id="label-side">Which run has something wrong?</span>
          </div>
          <div class="seg" role="radiogroup" aria-labelledby="label-side" onKeyDown={onKeyDown}>
            {kSides.map(({ id, title }) => (
              <button
                key={id}
                ref={id === tabStop ? sideRef : null}
                type="button"
                role="radio"
                data-side={id}
                aria-checked={id === side}
                tabIndex={id === tabStop ? 0 : -1}
                onClick={() => onSide(id)}
              >
                {title}
              </button>
            ))}
          </div>
        </div>
      </div>
      <div class="field">
        <kbd aria-hidden="true">2</kbd>
        <div>
          <div class="lab">
            <label for="part-diagnosis">Diagnosis</label>
            <span class="hint">type, then Enter</span>
          </div>
          <DiagnosisBox
            diagnoses={catalog.diagnoses}
            chosen={catalog.diagnoses.find((one) => one.id === diagnosis)}
            onChoose={onDiagnosis}
            inputRef={diagnosisRef}
          />
        </div>
      </div>
    </div>
  );
}
