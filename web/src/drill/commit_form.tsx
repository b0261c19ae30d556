// The commit form: seven parts, each reached by its number. The diagnosis alone is enough; each further part counts.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Catalog, PartId, Place } from '../client/messages';
import type { TraceModel } from '../client/trace_model';
import { ChoiceBox, letterOf } from './choice_box';
import { ConfidenceBox } from './confidence_box';
import { DiagnosisBox } from './diagnosis_box';
import { asksNumber, chosenDiagnosis, formErrors, kParts, type Form } from './form';
import { placeLength, placeText } from './place';
import { TypedPlace } from './typed_place';

interface Props {
  readonly catalog: Catalog;
  readonly trace: TraceModel;
  readonly form: Form;
  // What P would mark now; undefined if nothing is selected.
  readonly selection: Place | undefined;
  // The place is typed: there is no timeline here to select on.
  readonly isPlaceTyped: boolean;
  readonly part: PartId;
  // Moves the focus to `part` whenever it grows.
  readonly focusCount: number;
  readonly onEnter: (form: Partial<Form>) => void;
}

export function CommitForm({
  catalog,
  trace,
  form,
  selection,
  isPlaceTyped,
  part,
  focusCount,
  onEnter,
}: Props) {
  const boxes = useRef(new Map<PartId, HTMLElement>());
  const refOf = (id: PartId) => (element: HTMLElement | null) => {
    if (element === null) boxes.current.delete(id);
    else boxes.current.set(id, element);
  };
  // Before the next key can be pressed: letters typed right after a part's number belong to that part.
  useLayoutEffect(() => {
    boxes.current.get(part)?.focus();
  }, [part, focusCount]);

  const diagnosis = chosenDiagnosis(form, catalog);
  const errors = formErrors(form, catalog);
  const isNumberAsked = diagnosis === undefined || asksNumber(diagnosis);
  return (
    <div class="form">
      <Field part="diagnosis" label={<label for="part-diagnosis">Diagnosis</label>} hint="type, then Enter">
        <DiagnosisBox
          diagnoses={catalog.diagnoses}
          chosen={diagnosis}
          onChoose={(id) => onEnter({ diagnosis: id })}
          inputRef={refOf('diagnosis')}
        />
      </Field>
      <Field
        part="place"
        label="Place"
        hint={
          isPlaceTyped ? (
            'ms on the ruler'
          ) : (
            <>
              drag, then <kbd>P</kbd>
            </>
          )
        }
      >
        {isPlaceTyped ? (
          <TypedPlace trace={trace} onPlace={(place) => onEnter({ place })} firstRef={refOf('place')} />
        ) : (
          <PlaceBox
            place={form.place}
            selection={selection}
            trace={trace}
            onEnter={onEnter}
            buttonRef={refOf('place')}
          />
        )}
      </Field>
      <Field
        part="number"
        label={
          <label for="part-number">
            Deciding number{diagnosis !== undefined && isNumberAsked ? `: ${diagnosis.deciding_number}` : ''}
          </label>
        }
      >
        <TextBox
          id="part-number"
          text={form.numberText}
          unit={diagnosis?.deciding_unit ?? ''}
          placeholder={
            diagnosis === undefined
              ? 'follows the diagnosis'
              : isNumberAsked
                ? ''
                : 'not needed for this diagnosis'
          }
          disabledWhy={
            diagnosis === undefined
              ? 'The number that is asked follows from the diagnosis.'
              : isNumberAsked
                ? undefined
                : 'This diagnosis is not decided by one number.'
          }
          error={errors.number}
          onText={(numberText) => onEnter({ numberText })}
          inputRef={refOf('number')}
        />
      </Field>
      <Field
        part="measurement"
        label={<span id="label-measurement">Confirming measurement</span>}
        hint={`a\u2013${letterOf(catalog.measurements.length - 1) || 'z'}`}
      >
        <ChoiceBox
          id="part-measurement"
          labelId="label-measurement"
          placeholder="choose a measurement"
          options={catalog.measurements}
          chosen={form.measurement}
          onChoose={(measurement) => onEnter({ measurement })}
          boxRef={refOf('measurement')}
        />
      </Field>
      <Field
        part="fix"
        label={<span id="label-fix">Fix</span>}
        hint={`a\u2013${letterOf(catalog.fixes.length - 1) || 'z'}`}
      >
        <ChoiceBox
          id="part-fix"
          labelId="label-fix"
          placeholder="choose a fix"
          options={catalog.fixes}
          chosen={form.fix}
          onChoose={(fix) => onEnter({ fix })}
          boxRef={refOf('fix')}
        />
      </Field>
      <div class="two">
        <Field part="win" label={<label for="part-win">Win</label>}>
          <TextBox
            id="part-win"
            text={form.winText}
            unit={/[a-z%\u00b5]/i.test(form.winText) ? '' : 'ms or %'}
            placeholder=""
            disabledWhy={undefined}
            error={errors.win}
            onText={(winText) => onEnter({ winText })}
            inputRef={refOf('win')}
          />
        </Field>
        <Field part="confidence" label={<span id="label-confidence">Confidence, %</span>}>
          <ConfidenceBox
            labelId="label-confidence"
            chosen={form.confidencePercent}
            onChoose={(confidencePercent) => onEnter({ confidencePercent })}
            firstRef={refOf('confidence')}
          />
        </Field>
      </div>
    </div>
  );
}

interface FieldProps {
  readonly part: PartId;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Field({ part, label, hint, children }: FieldProps) {
  return (
    <div class="field" data-part={part}>
      <kbd class="key" aria-hidden="true">
        {kParts.indexOf(part) + 1}
      </kbd>
      <div>
        <div class="lab">
          {label}
          {hint !== undefined && <span class="hint">{hint}</span>}
        </div>
        {children}
      </div>
    </div>
  );
}

interface PlaceBoxProps {
  readonly place: Place | undefined;
  readonly selection: Place | undefined;
  readonly trace: TraceModel;
  readonly onEnter: (form: Partial<Form>) => void;
  readonly buttonRef: (element: HTMLElement | null) => void;
}

function PlaceBox({ place, selection, trace, onEnter, buttonRef }: PlaceBoxProps) {
  const isCurrent = place !== undefined && selection !== undefined && samePlace(place, selection);
  return (
    <div class="place">
      {place !== undefined && (
        <div class="input set">
          <span class="tag" data-on="true">
            place
          </span>
          <span class="ell">{placeText(place, trace)}</span>
          <span class="unit num">{placeLength(place)}</span>
        </div>
      )}
      <div class="place-acts">
        <button
          type="button"
          class="btn"
          ref={buttonRef}
          aria-disabled={selection === undefined || isCurrent}
          title={
            selection === undefined
              ? 'Nothing is selected. Drag on the rows of the timeline first.'
              : isCurrent
                ? 'The selection is the place already.'
                : undefined
          }
          onClick={() => selection !== undefined && onEnter({ place: selection })}
        >
          {selection === undefined
            ? 'Select on the timeline first'
            : isCurrent
              ? 'Selection is marked'
              : place === undefined
                ? 'Mark the selection'
                : 'Mark the new selection'}
        </button>
        {place !== undefined && (
          <button type="button" class="btn ghost" onClick={() => onEnter({ place: undefined })}>
            Clear
          </button>
        )}
      </div>
    </div>
  );
}

function samePlace(a: Place, b: Place): boolean {
  return a.rank === b.rank && a.track === b.track && a.begin_ns === b.begin_ns && a.end_ns === b.end_ns;
}

interface TextBoxProps {
  readonly id: string;
  readonly text: string;
  readonly unit: string;
  readonly placeholder: string;
  readonly disabledWhy: string | undefined;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
  readonly inputRef: (element: HTMLElement | null) => void;
}

function TextBox({ id, text, unit, placeholder, disabledWhy, error, onText, inputRef }: TextBoxProps) {
  const isOff = disabledWhy !== undefined;
  return (
    <>
      <div class="input wrap" data-invalid={error !== undefined} data-off={isOff} title={disabledWhy}>
        <input
          ref={inputRef}
          id={id}
          class="num"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          placeholder={placeholder}
          readOnly={isOff}
          aria-disabled={isOff}
          value={isOff ? '' : text}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? `${id}-unit` : `${id}-error`}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <span class="unit" id={`${id}-unit`}>
          {unit}
        </span>
      </div>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          <span aria-hidden="true">✕</span> {error}
        </p>
      )}
    </>
  );
}
