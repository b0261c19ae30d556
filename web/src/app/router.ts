// Addresses of the page. A permalink names a drill and says nothing of its answer.

export type Route =
  | { readonly page: 'home' }
  // `drill` is DECK.VERSION/SEED as written; whether there is such a drill is for the API to say.
  | { readonly page: 'drill'; readonly drill: string }
  | { readonly page: 'unknown'; readonly hash: string };

export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '').replace(/\/+$/, '');
  if (path === '') return { page: 'home' };
  const drill = /^\/drill\/(.+)$/.exec(path)?.[1];
  if (drill === undefined) return { page: 'unknown', hash };
  try {
    return { page: 'drill', drill: decodeURIComponent(drill) };
  } catch {
    return { page: 'unknown', hash };
  }
}

export function drillHash(drill: string): string {
  return `#/drill/${drill}`;
}

// A seed nobody has chosen: the browser's random source, so that what has come says nothing of what comes.
export function drawSeed(fill: (into: Uint32Array) => void = (into) => crypto.getRandomValues(into)): number {
  const one = new Uint32Array(1);
  fill(one);
  return one[0] ?? 0;
}
