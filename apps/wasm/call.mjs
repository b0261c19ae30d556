// Calls one method of the module under Node: node call.mjs MODULE.wasm METHOD [JSON]. Prints the reply's JSON; the exit
// code is 1 if it is an error.
import { readFile } from 'node:fs/promises';

const [file, method, request = '{}'] = process.argv.slice(2);
if (method === undefined) {
  console.error('usage: node call.mjs MODULE.wasm METHOD [JSON]');
  process.exit(2);
}

// No imports: the second argument stays empty.
const { instance } = await WebAssembly.instantiate(await readFile(file), {});
const { memory, _initialize, td_alloc, td_free, td_call, td_reply_size } = instance.exports;
_initialize();

function put(text) {
  const bytes = new TextEncoder().encode(text);
  const at = td_alloc(bytes.length || 1);
  new Uint8Array(memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

const [nameAt, nameSize] = put(method);
const [requestAt, requestSize] = put(request);
const replyAt = td_call(nameAt, nameSize, requestAt, requestSize) >>> 0;
td_free(nameAt);
td_free(requestAt);

// Memory may have grown during the call: take the view afterwards.
const reply = new Uint8Array(memory.buffer, replyAt, td_reply_size());
if (new TextDecoder().decode(reply.subarray(0, 4)) !== 'TDR1') throw new Error('the reply does not begin with TDR1');
const size = new DataView(reply.buffer, reply.byteOffset).getUint32(4, true);
const json = new TextDecoder().decode(reply.subarray(8, 8 + size));
console.log(json);
process.exit('error' in JSON.parse(json) ? 1 : 0);
