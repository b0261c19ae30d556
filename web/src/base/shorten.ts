// Text from an address or a message where there is room for one line.

// `text`, or its first `most` characters and an ellipsis. Counts code points: no character is cut in two.
export function shorten(text: string, most = 40): string {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most + 1)];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}\u2026`;
}
