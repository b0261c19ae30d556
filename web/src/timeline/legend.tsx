import { useEffect, useRef } from 'preact/hooks';
import { kPaintKinds, type PaintKind } from './lanes';
import type { Style } from './paint';

const kTitles: Readonly<Record<PaintKind, string>> = {
  compute: 'compute',
  comm: 'communication',
  copy: 'copy',
  host: 'host',
  loader: 'loader',
};
const kSwatch = { width: 20, height: 10 };

/** Colour and pattern of each kind. */
export function Legend({ style, ratio }: { readonly style: Style | undefined; readonly ratio: number }) {
  return (
    <ul class="tl-legend" aria-label="Kinds">
      {kPaintKinds.map((kind, paint) => (
        <li key={kind}>
          <Swatch paint={paint} style={style} ratio={ratio} />
          {kTitles[kind]}
        </li>
      ))}
    </ul>
  );
}

function Swatch(props: {
  readonly paint: number;
  readonly style: Style | undefined;
  readonly ratio: number;
}) {
  const ref = useRef<HTMLCanvasElement>(null);
  const { paint, style, ratio } = props;
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context || !style) return;
    canvas.width = kSwatch.width * ratio;
    canvas.height = kSwatch.height * ratio;
    for (const fill of [style.palette.kinds[paint], style.patterns[paint]]) {
      if (!fill) continue;
      context.fillStyle = fill;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
  }, [paint, style, ratio]);
  return <canvas ref={ref} class="tl-swatch" aria-hidden="true" />;
}
