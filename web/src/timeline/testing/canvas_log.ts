// A canvas that writes down what is asked of it, instead of painting.
import type { Surface } from '../paint';

export interface CanvasLog {
  readonly surface: Surface;
  /** "fillRect 0 0 10 10 [red]": the call, its numbers, and the fill it used. */
  readonly calls: string[];
}

export function createCanvasLog(): CanvasLog {
  const calls: string[] = [];
  const state: Record<string, unknown> = { fillStyle: '', globalAlpha: 1 };
  const round = (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);
  const surface = new Proxy(state, {
    get: (target, key: string) => {
      if (key in target) return target[key];
      return (...args: unknown[]) => {
        const alpha = target['globalAlpha'] === 1 ? '' : ` @${round(target['globalAlpha'])}`;
        const ink = key.startsWith('stroke') ? target['strokeStyle'] : target['fillStyle'];
        calls.push(`${key} ${args.map(round).join(' ')} [${ink}${alpha}]`);
        return key === 'measureText' ? { width: 7 } : undefined;
      };
    },
    set: (target, key: string, value: unknown) => {
      target[key] = value;
      return true;
    },
  });
  return { surface: surface as unknown as Surface, calls };
}
