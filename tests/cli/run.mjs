// Runs the built binary and returns what it printed.
import { spawnSync } from 'node:child_process';

export const binary = process.env.TRACEDRILLS ?? 'build/tracedrills';

export function run(...args) {
  const result = spawnSync(binary, args, { encoding: 'utf8', timeout: 60_000 });
  if (result.error) throw result.error;
  return { code: result.status, out: result.stdout, err: result.stderr };
}

// Names of the subcommands, from the program's own help.
export function commands() {
  const list = run('--help').out.split('Commands:\n')[1].split('\n\n')[0];
  return [...list.matchAll(/^ {2}(\S+)/gm)].map((match) => match[1]);
}
