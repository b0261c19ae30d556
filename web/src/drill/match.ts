// Type-ahead over a fixed list: an entry matches when each word typed begins one of its words.

export interface Match<T> {
  readonly item: T;
  // Ranges [begin, end) of the title that were typed, in order.
  readonly marks: readonly (readonly [number, number])[];
}

interface Word {
  readonly begin: number;
  readonly text: string;
}

function words(title: string): Word[] {
  return [...title.matchAll(/[\p{L}\p{N}]+/gu)].map((found) => ({
    begin: found.index,
    text: found[0].toLowerCase(),
  }));
}

// Keeps the list's order, so that a place in it says nothing of the trace. An empty query gives the full list.
export function matchTitles<T extends { readonly title: string }>(
  items: readonly T[],
  query: string,
): Match<T>[] {
  const typed = words(query);
  const matches: Match<T>[] = [];
  for (const item of items) {
    const inTitle = words(item.title);
    const used = new Set<Word>();
    const marks: [number, number][] = [];
    for (const part of typed) {
      const hit = inTitle.find((word) => !used.has(word) && word.text.startsWith(part.text));
      if (hit === undefined) break;
      used.add(hit);
      marks.push([hit.begin, hit.begin + part.text.length]);
    }
    if (marks.length < typed.length) continue;
    marks.sort((a, b) => a[0] - b[0]);
    matches.push({ item, marks });
  }
  return matches;
}

// The title cut at the marks, for display.
export function markedParts(
  title: string,
  marks: Match<unknown>['marks'],
): readonly { readonly text: string; readonly marked: boolean }[] {
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [begin, end] of marks) {
    if (begin > at) parts.push({ text: title.slice(at, begin), marked: false });
    parts.push({ text: title.slice(begin, end), marked: true });
    at = end;
  }
  if (at < title.length) parts.push({ text: title.slice(at), marked: false });
  return parts;
}
