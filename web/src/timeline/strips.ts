// Folded columns as pictures: one row of pixels for each lane, stretched to the lane's height. Thousands of columns of
// different opacity cost the canvas as much as a handful of slices.
import type { DevicePixels } from '../base/units';
import { kColumnWidth, type DrawList } from './draw_list';

export type Rgb = readonly [number, number, number];

export interface Strips {
  readonly width: DevicePixels;
  /** Where each row of pixels goes, by row. */
  readonly places: readonly { readonly y: DevicePixels; readonly height: DevicePixels }[];
  /** RGBA, not premultiplied, `width` a row. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** "#2b6cb0" as numbers; undefined for any other spelling. */
export function parseHex(color: string): Rgb | undefined {
  const hex = /^#([0-9a-f]{6})$/i.exec(color.trim())?.[1];
  if (hex === undefined) return undefined;
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Each kind over the one before, as painting them with their opacity would. `colors` by index in kPaintKinds. */
export function composeStrips(
  list: DrawList,
  colors: readonly Rgb[],
  buffer?: Uint8ClampedArray<ArrayBuffer>,
): Strips {
  const places: { y: DevicePixels; height: DevicePixels }[] = [];
  const rowOf = new Map<DevicePixels, number>();
  for (const { values, length } of list.columns) {
    for (let at = 0; at < length * kColumnWidth; at += kColumnWidth) {
      const y = values[at + 1] ?? 0;
      if (rowOf.has(y)) continue;
      rowOf.set(y, places.length);
      places.push({ y, height: values[at + 3] ?? 0 });
    }
  }
  const size = list.width * places.length * 4;
  const pixels = buffer?.length === size ? buffer : new Uint8ClampedArray(size);
  pixels.fill(0);
  list.columns.forEach(({ values, length }, paint) => {
    const color = colors[paint] ?? [0, 0, 0];
    for (let at = 0; at < length * kColumnWidth; at += kColumnWidth) {
      const row = rowOf.get(values[at + 1] ?? 0) ?? 0;
      const first = row * list.width + (values[at] ?? 0);
      const last = first + (values[at + 2] ?? 0);
      for (let pixel = first; pixel < last; pixel += 1) over(pixels, pixel * 4, color, values[at + 4] ?? 0);
    }
  });
  return { width: list.width, places, pixels };
}

/** Puts a colour of opacity `alpha` over a pixel. */
function over(pixels: Uint8ClampedArray, at: number, color: Rgb, alpha: number): void {
  const below = ((pixels[at + 3] ?? 0) / 255) * (1 - alpha);
  const total = alpha + below;
  if (total <= 0) return;
  for (let part = 0; part < 3; part += 1) {
    pixels[at + part] = ((color[part] ?? 0) * alpha + (pixels[at + part] ?? 0) * below) / total;
  }
  pixels[at + 3] = total * 255;
}

/** Holds the canvas that the rows of pixels are put on; kept over frames. */
export class StripPainter {
  private readonly canvas = document.createElement('canvas');
  private buffer: Uint8ClampedArray<ArrayBuffer> | undefined;

  paint(
    surface: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>,
    list: DrawList,
    colors: readonly Rgb[],
  ): void {
    const strips = composeStrips(list, colors, this.buffer);
    this.buffer = strips.pixels;
    const { width, places } = strips;
    if (places.length === 0 || width === 0) return;
    if (this.canvas.width !== width || this.canvas.height < places.length) {
      this.canvas.width = width;
      this.canvas.height = places.length;
    }
    const context = this.canvas.getContext('2d');
    if (!context) return;
    context.putImageData(new ImageData(strips.pixels, width, places.length), 0, 0);
    surface.imageSmoothingEnabled = false;
    places.forEach(({ y, height }, row) => {
      surface.drawImage(this.canvas, 0, row, width, 1, 0, y, width, height);
    });
  }
}
