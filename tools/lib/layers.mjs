// The include rules of docs/ARCHITECTURE.md as data, and the check of one file against them.
import { posix } from 'node:path';

const CORE = ['base', 'trace', 'hardware', 'catalog', 'formats', 'sim', 'analysis', 'arithmetic', 'drill', 'report', 'api'];

// What each room of C++ may include besides itself.
export const rooms = {
  base: [],
  trace: ['base'],
  hardware: ['base'],
  catalog: ['base'],
  formats: ['trace', 'base'],
  sim: ['hardware', 'catalog', 'trace', 'base'],
  analysis: ['hardware', 'catalog', 'trace', 'base'],
  arithmetic: ['hardware', 'base'],
  drill: ['base', 'trace', 'hardware', 'catalog', 'sim', 'analysis', 'arithmetic'],
  report: CORE.slice(0, CORE.indexOf('report')),
  api: CORE.slice(0, CORE.indexOf('api')),
  native: ['drill', 'formats', 'base'],
  tracedrills: ['api', 'native', 'base'],
  wasm: ['api', 'base'],
};

// What each folder of web/src may import besides itself.
const SPACES = ['drill', 'arithmetic', 'reading', 'history'];
export const webRooms = {
  base: [],
  client: ['base'],
  timeline: ['base', 'client'],
  ...Object.fromEntries(SPACES.map((space) => [space, ['base', 'client', 'timeline']])),
  app: ['base', 'client', 'timeline', ...SPACES, 'styles'],
  styles: [],
};
const WEB_PACKAGES = /^preact(\/|$)/;
const WEB_TEST_PACKAGES = /^(node:|preact)/;

// The part of the standard library that the core may use: it exists for wasm32 without threads, exceptions, files or
// locale, and gives the same results everywhere.
const CORE_HEADERS = new Set(
  `algorithm array bit bitset cassert charconv climits cmath compare concepts cstddef cstdint cstdlib cstring deque
  expected functional initializer_list iterator limits list map memory memory_resource new numbers numeric optional queue
  ranges set source_location span stack string string_view tuple type_traits unordered_map unordered_set utility variant
  vector version emmintrin.h smmintrin.h tmmintrin.h wasm_simd128.h arm_neon.h`.split(/\s+/),
);
const CORE_TEST_HEADERS = /^(gtest|gmock|rapidcheck|nlohmann)(\/|\.h$)/;

// Calls whose results differ between libraries or machines, or that reach outside.
const CORE_CALLS = [
  [
    /\bstd::(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|cbrt|hypot|l?gamma|erfc?|l?l?round|l?l?rint|nearbyint|ceil|trunc|fmod|remainder|ldexp|frexp)\s*\(/,
    'libm beyond sqrt, floor and fma: use base/math.h',
  ],
  [/\b(std::)?(strto(d|f|ld)|ato(f|i|l)|sto(d|f|ld))\s*\(/, 'text to floating point through the C library: parse scaled integers'],
  [/\b(std::)?(v?s?n?printf|v?fprintf|puts|fopen|getenv)\s*\(/, 'the C library\'s output, files or environment'],
  [/\bstd::(shuffle|random_device|mt19937|time|clock)\b/, 'draws and clocks that differ between libraries or runs: use base/random.h'],
];

// The room that a path belongs to, or undefined for folders that may include everything (tests, fuzz, bench).
export function roomOf(path) {
  const parts = path.split('/');
  if (parts[0] === 'src' && parts.length > 2) return parts[1];
  if (parts[0] === 'native') return 'native';
  if (parts[0] === 'apps' && parts.length > 2) return parts[1];
  return undefined;
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}

// Blanks comments and string literals but keeps every line where it is.
function withoutComments(text) {
  const blank = (match) => match.replace(/[^\n]/g, ' ');
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"/g, blank);
}

function checkInclude(room, isTest, quoted, target) {
  if (!quoted) {
    if (!CORE.includes(room) || isTest || CORE_HEADERS.has(target)) return undefined;
    return `<${target}> is not among the standard headers that the core may use`;
  }
  // A test may bring in its framework by quotes too.
  if (isTest && CORE_TEST_HEADERS.test(target)) return undefined;
  const [first] = target.split('/');
  if (!target.includes('/')) return `"${target}" is not rooted at src/, apps/ or the checkout: write the room too`;
  if (target.includes('..')) return `"${target}" goes up: includes are rooted at src/`;
  if (!(first in rooms)) return `"${target}" is in no room`;
  if (first === room || rooms[room].includes(first)) return undefined;
  return `${room} may not include ${first} ("${target}"); it may include: ${[room, ...rooms[room]].join(', ')}`;
}

// Violations of one C++ file as [{line, text}].
export function checkCpp(path, text) {
  const room = roomOf(path);
  if (room === undefined) return [];
  if (!(room in rooms)) return [{ line: 1, text: `${room} is no room of the table in tools/lib/layers.mjs` }];
  const isTest = /(_test\.cc|_fixture\.h)$/.test(path);
  const found = [];
  for (const match of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]/gm)) {
    const problem = checkInclude(room, isTest, match[1] === '"', match[2]);
    if (problem) found.push({ line: lineOf(text, match.index), text: problem });
  }
  if (CORE.includes(room) && !isTest) {
    const code = withoutComments(text);
    for (const [pattern, problem] of CORE_CALLS) {
      for (const match of code.matchAll(new RegExp(pattern, 'g'))) {
        found.push({ line: lineOf(code, match.index), text: `${match[0].trim()}...: ${problem}` });
      }
    }
  }
  return found;
}

// Violations of one file of web/src.
export function checkWeb(path, text) {
  const room = path.split('/')[2];
  if (path.split('/').length < 4) return [{ line: 1, text: 'stands in no room of web/src' }];
  if (!(room in webRooms)) return [{ line: 1, text: `${room} is no room of the table in tools/lib/layers.mjs` }];
  const isTest = /_test\.tsx?$/.test(path);
  const found = [];
  const imports = /(?:^|[;\n])\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|(?:^|[;\n])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  for (const match of text.matchAll(imports)) {
    const target = match[1] ?? match[2] ?? match[3];
    const line = lineOf(text, match.index + match[0].length);
    if (!target.startsWith('.')) {
      if (!(isTest ? WEB_TEST_PACKAGES : WEB_PACKAGES).test(target)) found.push({ line, text: `package ${target} is not allowed here` });
      continue;
    }
    const resolved = posix.normalize(posix.join(posix.dirname(path), target));
    const other = resolved.split('/')[2];
    if (!resolved.startsWith('web/src/')) found.push({ line, text: `${target} leaves web/src` });
    else if (other !== room && !webRooms[room].includes(other)) {
      found.push({ line, text: `${room} may not import ${other} (${target}); it may import: ${[room, ...webRooms[room]].join(', ')}` });
    }
  }
  return found;
}

// Violations of the build's own list: each td_room(NAME deps...) may link what NAME may include.
export function checkRoomList(text) {
  const found = [];
  for (const match of text.matchAll(/^td_room\(([^)]*)\)/gm)) {
    const [room, ...deps] = match[1].trim().split(/\s+/);
    for (const dep of deps) {
      if (rooms[room]?.includes(dep)) continue;
      found.push({ line: lineOf(text, match.index), text: `td_room(${room}) may not link ${dep}` });
    }
  }
  return found;
}
