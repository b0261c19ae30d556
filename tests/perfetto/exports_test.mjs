// Every scenario's trace, and drills as the page exports them, in the real Perfetto: what arrives is what was written.
import assert from 'node:assert/strict';
import { spawnSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { TraceProcessor } from './trace_processor.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const binary = join(root, 'build', 'tracedrills');
const perfetto = join(root, 'build', 'perfetto');
const scenarios = readdirSync(join(root, 'src', 'drill', 'scenario'))
  .filter((name) => name.endsWith('.cc') && !name.endsWith('_test.cc'))
  .map((name) => name.slice(0, -3));

// Microseconds as text, at most three digits after the point -> nanoseconds.
function nanoseconds(microseconds) {
  return Math.round(microseconds * 1000);
}

// What the file says that Perfetto must hold.
function expectationOf(text) {
  const events = JSON.parse(text).traceEvents;
  const slices = events.filter((event) => event.ph === 'X' || event.ph === 'i');
  const rows = new Map();
  for (const slice of slices) {
    const key = `${slice.pid}/${slice.tid}`;
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push({ start: nanoseconds(slice.ts), dur: nanoseconds(slice.dur ?? 0) });
  }
  let depth = 0;
  for (const row of rows.values()) {
    row.sort((a, b) => a.start - b.start || b.dur - a.dur);
    const open = [];
    for (const slice of row) {
      while (open.length && open.at(-1) <= slice.start) open.pop();
      open.push(slice.start + slice.dur);
      depth = Math.max(depth, open.length - 1);
    }
  }
  const names = (kind) =>
    events
      .filter((event) => event.ph === 'M' && event.name === kind)
      .map((event) => event.args.name)
      .sort();
  return {
    slices,
    depth,
    flows: events.filter((event) => event.ph === 'f').length,
    counters: events.filter((event) => event.ph === 'C').length,
    dur_ns: slices.reduce((sum, slice) => sum + nanoseconds(slice.dur ?? 0), 0),
    processes: names('process_name'),
    threads: names('thread_name'),
  };
}

async function expectImported(text) {
  const expected = expectationOf(text);
  assert.ok(expected.slices.length > 100, 'the trace holds next to nothing');
  const processor = await TraceProcessor.create(perfetto);
  processor.load(Buffer.from(text));
  const problems = processor.query(
    "select name, value from stats where value > 0 and severity in ('error', 'data_loss')",
  );
  assert.deepEqual(problems, []);
  assert.equal(processor.value('select count(*) from slice'), expected.slices.length);
  assert.equal(processor.value('select sum(dur) from slice'), expected.dur_ns);
  assert.equal(processor.value('select max(depth) from slice'), expected.depth);
  assert.equal(processor.value('select count(*) from flow'), expected.flows);
  assert.equal(processor.value('select count(*) from counter'), expected.counters);
  const names = (table) =>
    processor
      .query(`select name from ${table} where name is not null`)
      .map((row) => row.name)
      .sort();
  const processes = names('process');
  for (const name of expected.processes) assert.ok(processes.includes(name), `process ${name}`);
  const threads = names('thread');
  for (const name of expected.threads) assert.ok(threads.includes(name), `thread ${name}`);
  // Single slices to the nanosecond: the first, the last, the longest.
  const longest = expected.slices.reduce((best, slice) =>
    (slice.dur ?? 0) > (best.dur ?? 0) ? slice : best,
  );
  for (const slice of [expected.slices[0], expected.slices.at(-1), longest]) {
    const found = processor.value(
      `select count(*) from slice where ts = ${nanoseconds(slice.ts)} and dur = ${nanoseconds(slice.dur ?? 0)}` +
        ` and name = '${slice.name.replaceAll("'", "''")}'`,
    );
    assert.ok(found >= 1, `${slice.name} at ${slice.ts} us`);
  }
}

let folder;
let server;
let address;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
  server = spawn(binary, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  address = await new Promise((resolve, reject) => {
    let printed = '';
    server.stdout.on('data', (chunk) => {
      printed += chunk;
      const found = /http:\/\/[0-9.:]+/.exec(printed);
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error(`the server stopped: ${printed}`)));
  });
});

after(() => {
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

for (const scenario of scenarios) {
  test(`${scenario}: a rank's file`, async () => {
    const out = join(folder, scenario);
    const made = spawnSync(binary, ['generate', '--scenario', scenario, '--seed', '3', '--out', out], {
      encoding: 'utf8',
    });
    assert.equal(made.status, 0, made.stderr);
    const file = readdirSync(out).find((name) => name.startsWith('rank0'));
    await expectImported(readFileSync(join(out, file), 'utf8'));
  });
}

// A drill's export, without the frame: TDR1, a length, JSON of that length, then the file.
async function exported(drill, format) {
  const reply = await fetch(`${address}/api/v1/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ drill, format }),
  });
  assert.equal(reply.status, 200);
  const bytes = Buffer.from(await reply.arrayBuffer());
  return bytes.subarray(8 + bytes.readUInt32LE(4));
}

for (const seed of [1, 2]) {
  test(`core.1/${seed}: all ranks in one file, as the page exports it`, async () => {
    await expectImported((await exported(`core.1/${seed}`, 'chrome_json')).toString());
  });
}

// The same trace as JSON and as protobuf is the same in Perfetto.
test('core.1/3: protobuf says what JSON says', async () => {
  const ask = (processor) => ({
    problems: processor.query(
      "select name, value from stats where value > 0 and severity in ('error', 'data_loss')",
    ),
    slices: processor.query(
      'select name, count(*) as n, sum(dur) as dur_ns from slice group by name order by name',
    ),
    flows: processor.value('select count(*) from flow'),
    counters: processor.value('select count(*) from counter'),
    depth: processor.value('select max(depth) from slice'),
    span_ns: processor.value('select max(ts + dur) - min(ts) from slice'),
  });
  const answers = [];
  for (const format of ['chrome_json', 'pftrace']) {
    const processor = await TraceProcessor.create(perfetto);
    processor.load(await exported('core.1/3', format));
    answers.push(ask(processor));
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[1].problems, []);
  assert.ok(answers[1].flows > 100);
});
