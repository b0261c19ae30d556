// `tracedrills math` for scripts: the JSON of a problem, its reveal and its grade, and a session over a pipe.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { binary, run } from './run.mjs';

const kCore = ['gemm_intensity', 'decode_ceiling', 'roofline_knee', 'tile_budget', 'ring_all_reduce', 'training_step', 'kv_capacity', 'training_memory'];

function math(category, seed, ...more) {
  const { code, out, err } = run('math', '--category', category, '--seed', String(seed), '--json', ...more);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test('a problem as JSON: question and numbers, no answer', () => {
  for (const category of kCore) {
    const problem = math(category, 7);
    assert.equal(problem.category, category);
    assert.equal(problem.seed, 7);
    assert.match(problem.question, /\?$/);
    assert.ok(['number', 'verdict'].includes(problem.asks));
    for (const { value, unit } of Object.values(problem.inputs)) {
      assert.equal(typeof value, 'number');
      assert.equal(typeof unit, 'string');
    }
    for (const key of ['answer', 'steps', 'grade', 'identity']) assert.ok(!(key in problem), key);
    assert.deepEqual(math(category, 7), problem, 'the same bytes again');
  }
});

test('--reveal adds the answer and its steps, and the printed answer is graded right', () => {
  for (const category of kCore) {
    for (let seed = 0; seed < 6; seed += 1) {
      const problem = math(category, seed, '--reveal');
      assert.ok(problem.steps.length > 0);
      const { value, unit, verdict } = problem.answer;
      const typed = problem.asks === 'verdict' ? verdict : `${value} ${unit}`;
      const graded = math(category, seed, '--answer', typed);
      assert.equal(graded.grade, 'right', `${category} ${seed} ${typed}: ${graded.why}`);
      assert.equal(graded.slip, null);
      assert.ok(!('steps' in graded));
    }
  }
});

test('close, wrong and the slip', () => {
  let seed = 0;
  while (math('ring_all_reduce', seed, '--reveal').answer.unit !== 'ms') seed += 1;
  const { answer } = math('ring_all_reduce', seed, '--reveal');
  const graded = (factor) => math('ring_all_reduce', seed, '--answer', `${(answer.value * factor).toFixed(6)} ms`);
  assert.equal(graded(1.5).grade, 'close');
  assert.equal(graded(0.5).grade, 'close');
  assert.match(graded(0.5).slip, /both directions/);
  assert.equal(graded(3.1).grade, 'wrong');
  assert.match(graded(0.125).slip, /bits/);
  assert.match(graded(1000).slip, /1000x/);
});

test('an answer that cannot be read, and options that are wrong', () => {
  for (const [args, pattern] of [
    [['--category', 'ring_all_reduce', '--seed', '1', '--json', '--answer', '5 apples'], /--answer: .*expected/],
    [['--category', 'rings', '--seed', '1', '--json'], /no category "rings", expected one of .*ring_all_reduce/],
    [['--category', 'ring_all_reduce', '--seed', 'x', '--json'], /--seed: /],
    [['--problem', 'math.1/zz', '--json'], /--problem: /],
    [['--set', 'nothing', '--json'], /no category "nothing"/],
    [['--mode', 'fast'], /"fast" is no mode/],
  ]) {
    const { code, out, err } = run('math', ...args);
    assert.equal(code, 2, err);
    assert.equal(out, '');
    assert.match(err, pattern);
  }
});

test('without a category it stays hidden until the reveal', () => {
  const drawn = JSON.parse(run('math', '--seed', '5', '--json').out);
  assert.ok(!('category' in drawn));
  assert.match(drawn.problem, /^math\.1\/[0-9a-f]{12}$/);
  const revealed = JSON.parse(run('math', '--problem', drawn.problem, '--json', '--reveal').out);
  assert.equal(revealed.question, drawn.question);
  assert.ok(kCore.includes(revealed.category));
});

test('a session over a pipe: asks, reads, grades, sums up', () => {
  const { answer, asks } = math('ring_all_reduce', 2, '--reveal');
  assert.equal(asks, 'number');
  const input = `what\n${answer.value} ${answer.unit}\n\nq\n`;
  const { status, stdout, stderr } = spawnSync(binary, ['math', '--category', 'ring_all_reduce', '--seed', '2'], { input, encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /expected a number first/);
  assert.match(stdout, /^> right$/m);
  assert.match(stdout, /In the head: /);
  assert.match(stdout, /^2 answered: 1 right, 0 close, 1 wrong, 0 over the time; median 0:0\d$/m);
});

test('the list has the core first and at least twelve more', () => {
  const [core, more] = run('math', '--list').out.split('\n\n');
  for (const category of kCore) assert.ok(core.includes(`  ${category} `), category);
  assert.ok(more.trim().split('\n').length - 1 >= 12);
});
