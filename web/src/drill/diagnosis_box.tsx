// Part 1: the diagnosis as a combobox over the full list. Typing filters by word starts; Enter takes the active entry.
import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Diagnosis } from '../client/messages';
import { markedParts, matchTitles } from './match';

interface Props {
  readonly diagnoses: readonly Diagnosis[];
  readonly chosen: Diagnosis | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly inputRef: Ref<HTMLInputElement>;
}

export function DiagnosisBox({ diagnoses, chosen, onChoose, inputRef }: Props) {
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const isOpen = query !== undefined;
  const matches = isOpen ? matchTitles(diagnoses, query) : [];
  const activeMatch = matches[Math.min(active, matches.length - 1)];

  useEffect(() => {
    if (!isOpen) return;
    list.current?.scrollIntoView({ block: 'nearest' });
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, query]);

  const open = (text: string) => {
    setQuery(text);
    setActive(0);
  };
  const take = (id: string) => {
    onChoose(id);
    setQuery(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0) {
      event.preventDefault();
      if (!isOpen) open('');
      else if (matches.length > 0) setActive((active + move + matches.length) % matches.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isOpen && activeMatch !== undefined) take(activeMatch.item.id);
      else if (!isOpen) open('');
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setQuery(undefined);
    }
  };
  return (
    <div class="combo">
      <input
        ref={inputRef}
        id="part-diagnosis"
        class="input"
        role="combobox"
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="type, or choose from the list"
        aria-expanded={isOpen}
        aria-controls="diagnosis-list"
        aria-autocomplete="list"
        aria-activedescendant={activeMatch === undefined ? undefined : `diagnosis-${activeMatch.item.id}`}
        value={query ?? chosen?.title ?? ''}
        onInput={(event) => open(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => isOpen || open('')}
        onBlur={() => setQuery(undefined)}
        onKeyDown={onKeyDown}
      />
      <ul
        id="diagnosis-list"
        class="options"
        role="listbox"
        aria-label="Diagnoses"
        ref={list}
        hidden={!isOpen}
      >
        {matches.map(({ item, marks }) => (
          <li
            key={item.id}
            id={`diagnosis-${item.id}`}
            role="option"
            aria-selected={item === activeMatch?.item}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(item.id)}
          >
            <span>
              {markedParts(item.title, marks).map((part, at) =>
                part.marked ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
              )}
            </span>
            {item === activeMatch?.item && <kbd>Enter</kbd>}
          </li>
        ))}
        {isOpen && matches.length === 0 && (
          <li class="none" role="option" aria-disabled="true" aria-selected={false}>
            No such diagnosis
          </li>
        )}
      </ul>
    </div>
  );
}
