// Kernel names in little room: what says least goes first - return type, argument list, namespaces - then the tail.

/** At most `room` characters, an ellipsis where something of the tail is missing; empty if not even two fit. */
export function shortenName(name: string, room: number): string {
  if (name.length <= room) return name;
  let text = withoutReturnType(name);
  if (text.length <= room) return text;
  text = withoutArguments(text);
  if (text.length <= room) return text;
  text = withoutNamespaces(text);
  if (text.length <= room) return text;
  return room < 3 ? '' : `${text.slice(0, room - 1)}\u2026`;
}

function withoutReturnType(name: string): string {
  return name.replace(/^(void|float|double|int|bool|unsigned int)\s+/, '');
}

/** Cuts a C++ argument list: "f<int>(int*)" -> "f<int>". Python names such as "## backward ##" have none. */
function withoutArguments(name: string): string {
  if (!name.endsWith(')')) return name;
  let depth = 0;
  for (let at = name.length - 1; at > 0; at -= 1) {
    if (name[at] === ')') depth += 1;
    if (name[at] === '(') depth -= 1;
    if (depth === 0) return name.slice(0, at);
  }
  return name;
}

/** "at::native::vectorized_elementwise_kernel<4, at::native::Add>" -> "vectorized_elementwise_kernel<4, Add>". */
function withoutNamespaces(name: string): string {
  if (/^aten::\w+$/.test(name)) return name;
  return name.replace(/\b[A-Za-z_]\w*::/g, '').replace(/\(anonymous namespace\)::/g, '');
}
