// Lines of code before and after, merged into one listing: kept, removed and added lines.

export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

function linesOf(code: string): string[] {
  return code === '' ? [] : code.replace(/\n$/, '').split('\n');
}

// By the longest common subsequence; a removed line stands before the added one that replaces it. The guilty code is a
// few lines long, so the quadratic table is small.
export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const oldLine = old[i];
    const newLine = now[j];
    if (oldLine !== undefined && oldLine === newLine) {
      lines.push({ sign: ' ', text: oldLine });
      i += 1;
      j += 1;
    } else if (oldLine !== undefined && (newLine === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: oldLine });
      i += 1;
    } else if (newLine !== undefined) {
      lines.push({ sign: '+', text: newLine });
      j += 1;
    }
  }
  return lines;
}
