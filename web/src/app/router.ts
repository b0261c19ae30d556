// Addresses of the page. A permalink names a drill and says nothing of its answer.
import { isMathMode, type MathMode } from '../arithmetic/state';
import { isMode, type Mode } from '../drill/mode';

export type Route =
  | { readonly page: 'home' | 'history' | 'walk' | 'reference' }
  // `problem`: a sum that a link names, asked first.
  | { readonly page: 'math'; readonly mode: MathMode; readonly problem: string | undefined }
  // `drill` is DECK.VERSION/SEED as written; whether there is such a drill is for the API to say.
  | { readonly page: 'drill'; readonly drill: string; readonly mode: Mode }
  | { readonly page: 'unknown'; readonly hash: string };

export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '').replace(/\/+$/, '');
  if (path === '') return { page: 'home' };
  if (path === '/history' || path === '/walk') return { page: path === '/walk' ? 'walk' : 'history' };
  if (path === '/reference') return { page: 'reference' };
  if (path === '/math' || path.startsWith('/math/')) return mathRoute(path, hash);
  const drill = /^\/drill\/(.+)$/.exec(path)?.[1];
  if (drill === undefined) return { page: 'unknown', hash };
  try {
    return drillRoute(decodeURIComponent(drill));
  } catch {
    return { page: 'unknown', hash };
  }
}

// "/math", "/math/storm" or "/math/problem/math.1/0123456789ab".
function mathRoute(path: string, hash: string): Route {
  const rest = path.slice('/math/'.length);
  if (rest === '') return { page: 'math', mode: 'one', problem: undefined };
  if (isMathMode(rest)) return { page: 'math', mode: rest, problem: undefined };
  const problem = /^problem\/(.+)$/.exec(rest)?.[1];
  return problem === undefined ? { page: 'unknown', hash } : { page: 'math', mode: 'one', problem };
}

// "core.1/48213" or "core.1/48213/blind".
function drillRoute(path: string): Route {
  const at = path.lastIndexOf('/');
  const last = path.slice(at + 1);
  if (isMode(last)) return { page: 'drill', drill: path.slice(0, at), mode: last };
  return { page: 'drill', drill: path, mode: 'full' };
}

export function drillHash(drill: string, mode: Mode = 'full'): string {
  return `#/drill/${drill}${mode === 'full' ? '' : `/${mode}`}`;
}

// A seed nobody has chosen: the browser's random source, so that what has come says nothing of what comes.
export function drawSeed(fill: (into: Uint32Array) => void = (into) => crypto.getRandomValues(into)): number {
  const one = new Uint32Array(1);
  fill(one);
  return one[0] ?? 0;
}
