// node bench.mjs: our own work per frame (fold, layout to draw list) for a synthetic trace, median and p95
// of CPU time, so that a busy machine does not count.
import { buildRank, buildTrace, kernelTrain } from '../src/client/testing/trace_builder';
import { buildDrawList } from '../src/timeline/draw_list';
import { layoutRows } from '../src/timeline/rows';
import { TimeScale, zoomView } from '../src/timeline/time_scale';

const kWidthCss = 1600;
const kHeightCss = 900;
const kFrames = 240;

for (const perTrack of [1_000, 9_375, 62_500]) {
  const tracks = Array.from({ length: 2 }, (_, index) => ({
    slices: kernelTrain(perTrack, 3_000 + index * 500, 1_500),
  }));
  const trace = buildTrace(...Array.from({ length: 8 }, (_, rank) => buildRank(rank, tracks)));
  const layout = layoutRows(trace, { openRanks: new Set(trace.ranks.map((rank) => rank.rank)) });
  const times: number[] = [];
  let view = trace.extent;
  for (let frame = 0; frame < kFrames; frame += 1) {
    const begin = process.cpuUsage();
    const scale = new TimeScale(view, kWidthCss, 1);
    buildDrawList(layout, { scale, scrollTop: 0, height: kHeightCss, charWidth: 7 });
    times.push(process.cpuUsage(begin).user / 1000);
    view = zoomView(view, trace.extent.endNs / 3, 1.01, trace.extent);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (kFrames - 1))] ?? 0).toFixed(2);
  const slices = perTrack * 2 * 8;
  process.stdout.write(`${slices} slices, 16 rows: draw list median ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
}
