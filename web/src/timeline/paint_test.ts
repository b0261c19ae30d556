import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain } from '../client/testing/trace_builder';
import { buildDrawList } from './draw_list';
import { boxOfSlice, paintOverlay, placeTags, type OverlayInput } from './overlay';
import { paintRows, type Style } from './paint';
import { layoutRows } from './rows';
import { createCanvasLog } from './testing/canvas_log';
import { TimeScale } from './time_scale';

const kStyle: Style = {
  palette: {
    track: 'track',
    group: 'group',
    surface: 'surface',
    line: 'line',
    line2: 'line2',
    ink: 'ink',
    ink3: 'ink3',
    onKind: 'onKind',
    pattern: 'pattern',
    sliceEdge: 'edge',
    sel: 'sel',
    selEdge: 'selEdge',
    mono: 'mono',
    kinds: ['compute', 'comm', 'copy', 'host', 'loader'],
  },
  patterns: [
    undefined,
    ...['rising', 'upright', 'level', 'crossed'].map((name) => name as unknown as CanvasPattern),
  ],
  labelFont: '11px mono',
  labelCharWidth: 7,
};

const kTrace = buildTrace(
  buildRank(0, [
    {
      kind: 'host_thread',
      name: 'main',
      slices: [{ name: 'cudaLaunchKernel', kind: 'runtime', start: 0, dur: 400, correlation: 9 }],
    },
    { tid: 7, slices: kernelTrain(10, 50, 50, { from: 5000 }) },
    { tid: 20, slices: [{ name: 'nccl', kind: 'comm', start: 1000, dur: 6000, correlation: 9 }] },
  ]),
);
const kLayout = layoutRows(kTrace, { openRanks: new Set([0]) });
const kScale = new TimeScale({ beginNs: 0, endNs: 10_000 }, 100, 1);

function inputOf(more: Partial<OverlayInput>): OverlayInput {
  const { height } = kLayout;
  return { trace: kTrace, layout: kLayout, scale: kScale, scrollTop: 0, height, highlights: [], ...more };
}

test('rows are painted ground first, slices batched by colour, then patterns, separators, labels', () => {
  const log = createCanvasLog();
  const list = buildDrawList(kLayout, { scale: kScale, scrollTop: 0, height: kLayout.height, charWidth: 7 });
  paintRows(log.surface, list, kLayout, 0, [5000], kStyle);
  assert.deepEqual(log.calls, [
    'fillRect 0 0 100 106 [track]',
    'fillRect 50 0 1 106 [line]',
    'fillRect 0 0 100 24 [group]',
    'fillRect 0 23 100 1 [line]',
    'fillRect 0 45 100 1 [line]',
    'fillRect 0 75 100 1 [line]',
    'fillRect 0 105 100 1 [line]',
    'fillRect 50 50 10 22 [compute @0.5]', // ten kernels of half a pixel: half covered, never solid
    'fillRect 10 80 60 22 [comm]',
    'fillRect 0 27 4 15 [host]',
    'fillRect 10 80 60 22 [rising]', // the API call is narrower than 5 px: no pattern
    'fillRect 10 80 1 22 [edge]',
    'fillRect 0 27 1 15 [edge]',
    'fillRect 12 81 32 20 [comm]', // a patch under the word
    'fillText nccl 14 92 [onKind]',
  ]);
});

test('a selection is a full-height band with ink edges, its rows once more', () => {
  const log = createCanvasLog();
  paintOverlay(
    log.surface,
    inputOf({ selection: { beginNs: 2000, endNs: 4000, rows: [{ rank: 0, track: 1 }] } }),
    kStyle,
  );
  assert.deepEqual(log.calls, [
    'fillRect 20 0 20 106 [sel]',
    'fillRect 20 46 20 30 [sel]',
    'fillRect 20 0 1 106 [selEdge]',
    'fillRect 39 0 1 106 [selEdge]',
  ]);
});

test('the picked kernel is framed and its flow runs from the launch to it', () => {
  const kernel = { rank: 0, slice: 11 };
  assert.deepEqual(boxOfSlice(inputOf({}), kernel), { x: 10, y: 80, width: 60, height: 22 });
  const log = createCanvasLog();
  paintOverlay(log.surface, inputOf({ picked: kernel }), kStyle);
  const curves = log.calls.filter((call) => call.startsWith('bezierCurveTo'));
  assert.equal(curves.length, 2, 'a halo and the line');
  assert.ok(
    log.calls.some((call) => call.startsWith('arc 2 42 3')),
    'a dot at the launch',
  );
  assert.ok(log.calls.some((call) => call.startsWith('strokeRect')));
});

test('evidence is framed on its row with its letter, dashed unless its sentence has the focus', () => {
  const mark = { rank: 0, track: 2, beginNs: 1000, endNs: 7000, letter: 'A' };
  const dashesOf = (focused: boolean) => {
    const log = createCanvasLog();
    paintOverlay(log.surface, inputOf({ highlights: [{ ...mark, focused }] }), kStyle);
    assert.ok(log.calls.some((call) => call.startsWith('fillText A')));
    return log.calls.filter((call) => call.startsWith('setLineDash') && /\d/.test(call.split('[')[0]!));
  };
  assert.equal(dashesOf(true).length, 0);
  assert.equal(dashesOf(false).length, 1);
});

test('no frame is drawn after a letter', () => {
  const mark = { rank: 0, track: 2, endNs: 7000, focused: true };
  const highlights = ['A', 'B'].map((letter) => ({ ...mark, beginNs: 1000, letter }));
  const log = createCanvasLog();
  paintOverlay(log.surface, inputOf({ highlights }), kStyle);
  const lastFrame = log.calls.map((call) => call.split(' ')[0]).lastIndexOf('strokeRect');
  assert.ok(log.calls.findIndex((call) => call.startsWith('fillText')) > lastFrame);
});

test('letters of frames that share a right edge stand side by side, the same whichever has the focus', () => {
  const mark = { rank: 0, track: 2, endNs: 7000 };
  const placesOf = (spoken: string) => {
    const highlights = [
      { ...mark, beginNs: 1000, letter: 'B', focused: spoken === 'B' },
      { ...mark, beginNs: 5000, letter: 'A', focused: spoken === 'A' },
      { ...mark, beginNs: 0, endNs: 1500, letter: 'C', focused: false },
      { ...mark, beginNs: 500, endNs: 1500, letter: 'D', focused: false },
    ];
    const tags = [...placeTags(inputOf({ highlights }), kStyle)];
    return tags.map(([{ letter }, { x, y, width }]) => [letter, x, y, width]);
  };
  assert.deepEqual(placesOf('A'), [
    ['A', 55, 74, 15],
    ['B', 39, 74, 15],
    ['C', 0, 74, 15],
    ['D', 0, 90, 15], // no room on the left
  ]);
  assert.deepEqual(placesOf('B'), placesOf('A'));
});
