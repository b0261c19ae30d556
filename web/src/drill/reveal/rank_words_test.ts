import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankWords } from './rank_words';

const kH100 = 'NVIDIA H100 80GB HBM3';

test('data parallel training has forward and backward, and one rank that is waited for', () => {
  for (const parallelism of ['ddp', 'fsdp'])
    assert.deepEqual(rankWords({ parallelism, grad_dtype: 'bf16' }, kH100), {
      compute: 'fwd + bwd',
      comm: 'in NCCL',
      late: 'arrives',
      isLastOne: true,
    });
});

test('the stages of a pipeline end one after the other: none of them is late', () => {
  const words = rankWords({ parallelism: 'pipeline', grad_dtype: 'bf16' }, kH100);
  assert.equal(words.isLastOne, false);
  assert.equal(words.compute, 'compute');
});

test('without gradients there is no backward, and AMD has RCCL', () => {
  const words = rankWords({ parallelism: 'tensor' }, 'AMD Instinct MI300X');
  assert.equal(words.compute, 'compute');
  assert.equal(words.comm, 'in RCCL');
  assert.equal(rankWords(undefined, kH100).compute, 'compute');
});
