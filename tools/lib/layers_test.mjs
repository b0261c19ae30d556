// Planted violations must be found and allowed forms must pass: node --test tools/lib/*_test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkCpp, checkRoomList, checkWeb, rooms } from './layers.mjs';

const cpp = (path, text) => checkCpp(path, text).map((violation) => violation.text);
const web = (path, text) => checkWeb(path, text).map((violation) => violation.text);

test('analysis may not see the simulator or the drills', () => {
  assert.match(cpp('src/analysis/read.cc', '#include "sim/simulate.h"\n')[0], /analysis may not include sim/);
  assert.match(cpp('src/analysis/read.h', '  #  include "drill/truth.h"\n')[0], /analysis may not include drill/);
  assert.deepEqual(cpp('src/analysis/read.cc', '#include "analysis/read.h"\n#include "trace/trace.h"\n'), []);
});

test('a test may see its framework and what its room may see, no more', () => {
  const text = '#include <gtest/gtest.h>\n#include <sstream>\n#include "trace/trace.h"\n';
  assert.deepEqual(cpp('src/analysis/read_test.cc', text), []);
  assert.match(cpp('src/analysis/read_test.cc', '#include "sim/simulate.h"\n')[0], /may not include sim/);
  assert.match(cpp('src/analysis/read.cc', '#include <gtest/gtest.h>\n')[0], /standard headers/);
  assert.deepEqual(cpp('src/drill/some_fixture.h', '#include <gtest/gtest.h>\n'), []);
});

test('the core uses only what every target has', () => {
  for (const header of ['iostream', 'thread', 'mutex', 'random', 'regex', 'format', 'print', 'filesystem', 'fstream', 'chrono']) {
    assert.equal(cpp('src/base/io.h', `#include <${header}>\n`).length, 1, header);
    assert.equal(cpp('native/file.h', `#include <${header}>\n`).length, 0, header);
  }
  assert.deepEqual(cpp('src/base/io.h', '#include <vector>\n#include <expected>\n'), []);
});

test('the core calls nothing whose result depends on the library', () => {
  for (const call of ['std::log(x)', 'std::pow(x, 2)', 'std::round(x)', 'strtod(p, &e)', 'snprintf(b, n, f)', 'std::shuffle(a, b, c)']) {
    assert.equal(cpp('src/sim/cost/gemm.cc', `  auto y = ${call};\n`).length, 1, call);
  }
  for (const fine of ['std::sqrt(x)', 'std::floor(x)', 'log_exact(x)', 'run_time(x)', '// std::log(x)', '"std::log(x)"', 'exponent(2)']) {
    assert.deepEqual(cpp('src/sim/cost/gemm.cc', `  auto y = ${fine};\n`), [], fine);
  }
  assert.deepEqual(cpp('src/base/math_test.cc', 'auto y = std::log(x);\n'), []);
});

test('violations carry their line', () => {
  assert.equal(checkCpp('src/base/io.cc', '// one\n\n#include "trace/trace.h"\n')[0].line, 3);
  assert.equal(checkCpp('src/base/io.cc', '/* a\n b */\ndouble y = std::exp(x);\n')[0].line, 3);
});

test('apps see the API and nothing behind it', () => {
  assert.deepEqual(cpp('apps/tracedrills/main.cc', '#include "api/api.h"\n#include "tracedrills/cli.h"\n#include "native/gzip.h"\n'), []);
  assert.match(cpp('apps/tracedrills/main.cc', '#include "trace/trace.h"\n')[0], /tracedrills may not include trace/);
  assert.match(cpp('apps/wasm/exports.cc', '#include "native/gzip.h"\n')[0], /wasm may not include native/);
});

test('unknown rooms, unrooted and upward includes are violations', () => {
  assert.equal(cpp('src/misc/x.cc', '').length, 1);
  assert.equal(cpp('src/base/x.cc', '#include "misc/x.h"\n').length, 1);
  assert.equal(cpp('src/base/x.cc', '#include "x.h"\n').length, 1);
  assert.equal(cpp('src/base/x.cc', '#include "base/../trace/trace.h"\n').length, 1);
  assert.deepEqual(cpp('tests/golden_test.cc', '#include "sim/simulate.h"\n'), []);
});

test('the table has no cycle', () => {
  const visit = (room, path) => {
    assert.ok(!path.includes(room), [...path, room].join(' -> '));
    for (const next of rooms[room]) visit(next, [...path, room]);
  };
  for (const room of Object.keys(rooms)) visit(room, []);
});

test('web folders import only what stands to their left', () => {
  assert.deepEqual(web('web/src/timeline/view.tsx', "import { x } from '../client/client';\nimport { h } from 'preact';\n"), []);
  assert.match(web('web/src/timeline/view.tsx', "import {\n  x,\n  y,\n} from '../drill/clock';\n")[0], /timeline may not import drill/);
  assert.match(web('web/src/base/a.ts', "export * from '../client/client';\n")[0], /base may not import client/);
  assert.match(web('web/src/base/a.ts', "const m = await import('../app/main');\n")[0], /base may not import app/);
  assert.match(web('web/src/drill/a.ts', "import '../history/b';\n")[0], /drill may not import history/);
  assert.match(web('web/src/base/a.ts', "import lodash from 'lodash';\n")[0], /package lodash/);
  assert.match(web('web/src/base/a.ts', "import { test } from 'node:test';\n")[0], /package node:test/);
  assert.deepEqual(web('web/src/base/a_test.ts', "import { test } from 'node:test';\n"), []);
  assert.match(web('web/src/app/a.ts', "import x from '../../build.mjs';\n")[0], /leaves web\/src/);
});

test("the build's list may not link more than the table allows", () => {
  assert.deepEqual(checkRoomList('td_room(base)\ntd_room(trace base)\n'), []);
  assert.match(checkRoomList('td_room(analysis sim base)\n')[0].text, /may not link sim/);
});

test('the command finds a planted violation and exits 1', async () => {
  const root = await mkdtemp(join(tmpdir(), 'layers-'));
  const command = join(dirname(fileURLToPath(import.meta.url)), '../check_layers');
  try {
    await mkdir(join(root, 'src/base'), { recursive: true });
    await mkdir(join(root, 'web/src/base'), { recursive: true });
    await writeFile(join(root, 'CMakeLists.txt'), 'td_room(base)\n');
    await writeFile(join(root, 'src/base/a.h'), '#include <vector>\n');
    const clean = spawnSync(command, [root], { encoding: 'utf8' });
    assert.equal(clean.status, 0, clean.stdout + clean.stderr);
    await writeFile(join(root, 'src/base/b.cc'), '#include "base/a.h"\n#include <iostream>\n');
    await writeFile(join(root, 'web/src/base/c.ts'), "import { a } from '../app/a';\n");
    const dirty = spawnSync(command, [root], { encoding: 'utf8' });
    assert.equal(dirty.status, 1);
    assert.match(dirty.stdout, /^src\/base\/b\.cc:2: <iostream>/m);
    assert.match(dirty.stdout, /^web\/src\/base\/c\.ts:1: base may not import app/m);
    assert.match(dirty.stdout, /2 violations$/m);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
