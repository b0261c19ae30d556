// The page's colour tokens, read once a theme, and the patterns that stand beside the colours.
import { kPaintKinds, type PaintKind } from './lanes';
import { parseHex, StripPainter, type Rgb } from './strips';

const kTokens = {
  track: '--track',
  group: '--group',
  surface: '--surface',
  line: '--line',
  line2: '--line-2',
  ink: '--ink',
  ink3: '--ink-3',
  onKind: '--on-kind',
  pattern: '--pattern',
  sliceEdge: '--slice-edge',
  sel: '--sel',
  selEdge: '--sel-edge',
  mono: '--mono',
} as const;

export type Palette = Readonly<Record<keyof typeof kTokens, string>> & {
  /** By index in kPaintKinds. */
  readonly kinds: readonly string[];
};

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const named = Object.fromEntries(Object.entries(kTokens).map(([key, name]) => [key, token(name)]));
  return {
    ...(named as Record<keyof typeof kTokens, string>),
    kinds: kPaintKinds.map((kind) => token(`--k-${kind}`)),
  };
}

/** Undefined if a kind's colour is no plain hex: columns are then filled one by one. */
export function makeStrips(
  palette: Palette,
): { readonly painter: StripPainter; readonly colors: readonly Rgb[] } | undefined {
  const colors: Rgb[] = [];
  for (const kind of palette.kinds) {
    const color = parseHex(kind);
    if (color === undefined) return undefined;
    colors.push(color);
  }
  return { painter: new StripPainter(), colors };
}

/** Line segments of a pattern in a tile of `size`, as x1, y1, x2, y2. Compute is solid. */
export function patternLines(
  kind: PaintKind,
  size: number,
): readonly (readonly [number, number, number, number])[] {
  const s = size;
  switch (kind) {
    case 'compute':
      return [];
    case 'comm': // rising, 45 degrees; the corners close the seams between tiles
      return [
        [0, s, s, 0],
        [-s / 2, s / 2, s / 2, -s / 2],
        [s / 2, s * 1.5, s * 1.5, s / 2],
      ];
    case 'copy':
      return [[s / 2, 0, s / 2, s]];
    case 'host':
      return [[0, s / 2, s, s / 2]];
    case 'loader':
      return [
        [0, s, s, 0],
        [0, 0, s, s],
      ];
  }
}

const kTileCss: Readonly<Record<PaintKind, number>> = { compute: 6, comm: 7, copy: 5, host: 4, loader: 6 };

/** By index in kPaintKinds; undefined where the kind is solid. Tiles are whole device pixels, so lines stay crisp. */
export function makePatterns(
  context: CanvasRenderingContext2D,
  palette: Palette,
  ratio: number,
): readonly (CanvasPattern | undefined)[] {
  return kPaintKinds.map((kind) => {
    const size = Math.round(kTileCss[kind] * ratio);
    const lines = patternLines(kind, size);
    if (!lines.length) return undefined;
    const tile = document.createElement('canvas');
    tile.width = size;
    tile.height = size;
    const draw = tile.getContext('2d');
    if (!draw) return undefined;
    draw.strokeStyle = palette.pattern;
    draw.lineWidth = Math.max(1, ratio);
    draw.beginPath();
    for (const [x1, y1, x2, y2] of lines) {
      const isLevel = x1 === x2 || y1 === y2;
      const shift = isLevel && (size / 2) % 1 === 0 && draw.lineWidth % 2 === 1 ? 0.5 : 0;
      draw.moveTo(x1 + (x1 === x2 ? shift : 0), y1 + (y1 === y2 ? shift : 0));
      draw.lineTo(x2 + (x1 === x2 ? shift : 0), y2 + (y1 === y2 ? shift : 0));
    }
    draw.stroke();
    return context.createPattern(tile, 'repeat') ?? undefined;
  });
}
