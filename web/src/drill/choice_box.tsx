// Parts 4 and 5: one of a fixed list, chosen by its letter, by arrows or by pointer. The list opens with the focus.
import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Option } from '../client/messages';

interface Props {
  readonly id: string;
  readonly labelId: string;
  readonly placeholder: string;
  readonly options: readonly Option[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly boxRef: Ref<HTMLDivElement>;
}

export function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode('a'.charCodeAt(0) + index) : '';
}

export function ChoiceBox({ id, labelId, placeholder, options, chosen, onChoose, boxRef }: Props) {
  const chosenIndex = options.findIndex((option) => option.id === chosen);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const activeOption = isOpen ? options[active] : undefined;

  useEffect(() => {
    if (!isOpen) return;
    list.current?.scrollIntoView({ block: 'nearest' });
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isOpen]);

  const open = () => {
    setActive(Math.max(0, chosenIndex));
    setOpen(true);
  };
  const take = (index: number) => {
    const option = options[index];
    if (option === undefined) return;
    onChoose(option.id);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!actOnKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Returns whether the key meant something here; letters always do, so that they never reach the timeline.
  const actOnKey = (key: string): boolean => {
    if (/^[a-z]$/i.test(key)) {
      const index = options.findIndex((_, at) => letterOf(at) === key.toLowerCase());
      take(index);
      return true;
    }
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        if (!isOpen) open();
        else setActive((active + (key === 'ArrowDown' ? 1 : -1) + options.length) % options.length);
        return true;
      case 'Enter':
      case ' ':
        if (isOpen) take(active);
        else open();
        return true;
      case 'Backspace':
      case 'Delete':
        onChoose(undefined);
        return true;
      case 'Escape':
        if (!isOpen) return false;
        setOpen(false);
        return true;
      default:
        return false;
    }
  };
  const shown = options[chosenIndex];
  return (
    <div class="combo">
      <div
        ref={boxRef}
        id={id}
        class="input as-button"
        role="combobox"
        tabIndex={0}
        aria-labelledby={labelId}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeOption === undefined ? undefined : `${id}-${activeOption.id}`}
        onFocus={open}
        onBlur={() => setOpen(false)}
        onPointerDown={(event) => {
          if (document.activeElement !== event.currentTarget) return; // the focus opens it
          if (isOpen) setOpen(false);
          else open();
        }}
        onKeyDown={onKeyDown}
      >
        {shown === undefined ? (
          <span class="ph">{placeholder}</span>
        ) : (
          <>
            <kbd aria-hidden="true">{letterOf(chosenIndex)}</kbd>
            <span class="ell">{shown.title}</span>
          </>
        )}
      </div>
      <ul
        id={`${id}-list`}
        class="options"
        role="listbox"
        aria-labelledby={labelId}
        ref={list}
        hidden={!isOpen}
      >
        {options.map((option, index) => (
          <li
            key={option.id}
            id={`${id}-${option.id}`}
            role="option"
            data-active={index === active}
            aria-selected={option.id === chosen}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(index)}
          >
            <kbd aria-hidden="true">{letterOf(index)}</kbd>
            <span>{option.title}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
