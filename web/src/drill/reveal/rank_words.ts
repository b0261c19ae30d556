// What the columns of the ranks' table are called, by what the job is.
import type { Drill } from '../../client/messages';

export interface RankWords {
  readonly compute: string;
  readonly comm: string;
  readonly late: string;
  // Every rank ought to arrive at once, so the last one is the one that is waited for. Not so in a pipeline, whose stages
  // end one after the other.
  readonly isLastOne: boolean;
}

/** `device` as the trace names it: AMD's collectives are RCCL's. */
export function rankWords(facts: Drill['facts_json'], device: string): RankWords {
  const { parallelism, grad_dtype } = (facts ?? {}) as { parallelism?: unknown; grad_dtype?: unknown };
  const comm = /\b(AMD|MI\d{3}\w*)\b/.test(device) ? 'in RCCL' : 'in NCCL';
  // The stages of a pipeline interleave forward and backward, and wait in NCCL for each other.
  if (parallelism === 'pipeline')
    return { compute: 'compute', comm: `${comm}, waiting too`, late: 'done', isLastOne: false };
  const isTraining = typeof grad_dtype === 'string';
  return { compute: isTraining ? 'fwd + bwd' : 'compute', comm, late: 'arrives', isLastOne: true };
}
