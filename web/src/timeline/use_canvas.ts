// Sizes in CSS and device pixels, kept up to date, and the palette that belongs to the theme.
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { CssPixels } from '../base/units';
import type { Style } from './paint';
import { makePatterns, makeStrips, readPalette } from './palette';

export interface Size {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

const kLabelFontCss = 11;

/** The element's content size; 0 x 0 before the first layout. */
export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const read = () => {
      const next = { width: element.clientWidth, height: element.clientHeight };
      setSize((now) => (now.width === next.width && now.height === next.height ? now : next));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

/** Follows zooming of the page and moves between screens. */
export function useDevicePixelRatio(): number {
  const [ratio, setRatio] = useState(() => window.devicePixelRatio || 1);
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${ratio}dppx)`);
    const read = () => setRatio(window.devicePixelRatio || 1);
    query.addEventListener('change', read);
    window.addEventListener('resize', read);
    return () => {
      query.removeEventListener('change', read);
      window.removeEventListener('resize', read);
    };
  }, [ratio]);
  return ratio;
}

/** A media query as a value. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const read = () => setMatches(list.matches);
    read();
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [query]);
  return matches;
}

/** Colours, patterns and font; read again when `theme`, the system's scheme or the ratio changes. */
export function useStyle(ratio: number, theme: string | undefined): Style | undefined {
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const [fontsReady, setFontsReady] = useState(0);
  useEffect(() => {
    void document.fonts.ready.then(() => setFontsReady(1));
  }, []);
  return useMemo(() => {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) return undefined;
    const palette = readPalette(document.documentElement);
    const labelFont = `${kLabelFontCss * ratio}px ${palette.mono || 'monospace'}`;
    context.font = labelFont;
    return {
      palette,
      patterns: makePatterns(context, palette, ratio),
      strips: makeStrips(palette),
      labelFont,
      labelCharWidth: context.measureText('0').width,
    };
    // The theme and the scheme are read through the computed style.
  }, [ratio, theme, isDark, fontsReady]);
}

/** Gives the canvas its device pixels and returns its context; undefined while it has no size. */
export function prepareCanvas(
  canvas: HTMLCanvasElement | null,
  size: Size,
  ratio: number,
): CanvasRenderingContext2D | undefined {
  if (!canvas || size.width <= 0 || size.height <= 0) return undefined;
  const width = Math.round(size.width * ratio);
  const height = Math.round(size.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${size.height}px`;
  }
  return canvas.getContext('2d', { alpha: false }) ?? undefined;
}
