// Perfetto's own trace processor (WebAssembly) under Node, for tests: load a trace, ask SQL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// A protobuf reader and writer, just big enough for TraceProcessorRpc.
function varint(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  out.push(value);
  return Buffer.from(out);
}
const numberField = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytesField = (field, bytes) => Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
  big() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  double() {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }
  // [field, value]; a value is a BigInt, a number or a Buffer.
  *fields() {
    while (this.at < this.bytes.length) {
      const tag = Number(this.big());
      const field = tag >>> 3;
      if ((tag & 7) === 0) yield [field, this.big()];
      else if ((tag & 7) === 1) yield [field, this.double()];
      else if ((tag & 7) === 2) {
        const length = Number(this.big());
        yield [field, this.bytes.subarray(this.at, (this.at += length))];
      } else throw new Error(`wire type ${tag & 7} was not expected`);
    }
  }
}

const Method = { append: 1, finalize: 2, query: 3, status: 10 };
const Cell = { integer: 2, real: 3, text: 4, blob: 5 };

function asNumber(value) {
  return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value;
}

// The cells of one batch of a query's answer.
function cellsOf(batch) {
  let types = [];
  const integers = [];
  const reals = [];
  const blobs = [];
  let texts = [];
  for (const [field, value] of new Reader(batch).fields()) {
    const reader = Buffer.isBuffer(value) ? new Reader(value) : null;
    if (field === 1) types = [...value];
    else if (field === 2) while (reader.at < value.length) integers.push(BigInt.asIntN(64, reader.big()));
    else if (field === 3) while (reader.at < value.length) reals.push(reader.double());
    else if (field === 4) blobs.push(value);
    else if (field === 5) texts = value.toString().split('\0');
  }
  return types.map((type) => {
    if (type === Cell.integer) return asNumber(integers.shift());
    if (type === Cell.real) return reals.shift();
    if (type === Cell.text) return texts.shift();
    return type === Cell.blob ? blobs.shift() : null;
  });
}

export class TraceProcessor {
  // `folder` holds engine_bundle.node.js and trace_processor.wasm. One instance loads one trace.
  static async create(folder) {
    const wasm = readFileSync(join(folder, 'trace_processor.wasm'));
    class FakeRequest {
      open() {}
      send() {
        this.response = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length);
      }
    }
    // The bundle prefers a 64-bit build, which is not there; it probes with a tiny module of 64-bit memory. Refuse that.
    const assembly = Object.create(WebAssembly, {
      Module: {
        value: function (bytes) {
          if (bytes.length < 64 && bytes[8] === 5 && bytes[11] === 4) throw new Error('no memory64');
          return new WebAssembly.Module(bytes);
        },
      },
    });
    const self = { location: { href: 'file:///trace_processor/' }, onmessage: null };
    const silent = { log() {}, warn() {}, error() {}, info() {}, debug() {} };
    const scope = {
      self,
      location: self.location,
      WebAssembly: assembly,
      XMLHttpRequest: FakeRequest,
      console: silent,
      WorkerGlobalScope: function () {},
      importScripts() {},
      process: undefined,
      window: undefined,
      document: undefined,
    };
    const bundle = readFileSync(join(folder, 'engine_bundle.node.js'), 'utf8');
    new Function(...Object.keys(scope), bundle)(...Object.values(scope));
    const processor = new TraceProcessor();
    processor.replies = [];
    processor.port = { postMessage: (bytes) => processor.replies.push(Buffer.from(bytes)), onmessage: null };
    self.onmessage({ data: processor.port });
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    processor.sequence = 0;
    return processor;
  }

  // One request, answered before this returns.
  #call(method, field, bytes) {
    const body = [numberField(1, this.sequence++), numberField(2, method)];
    if (field) body.push(bytesField(field, bytes));
    this.replies.length = 0;
    this.port.onmessage({ data: new Uint8Array(bytesField(1, Buffer.concat(body))) });
    return [...new Reader(Buffer.concat(this.replies)).fields()].map(([, reply]) => {
      const message = Object.fromEntries(new Reader(reply).fields());
      if (message[5]) throw new Error(`trace processor: ${message[5]}`);
      return message;
    });
  }

  #check(replies, field, errorFields) {
    for (const reply of replies)
      if (reply[field])
        for (const [inner, value] of new Reader(reply[field]).fields())
          if (errorFields.includes(inner) && Buffer.isBuffer(value) && value.length)
            throw new Error(value.toString());
  }

  load(bytes) {
    const chunk = 8 << 20;
    for (let at = 0; at < bytes.length; at += chunk)
      this.#check(this.#call(Method.append, 101, bytes.subarray(at, at + chunk)), 201, [2]);
    this.#check(this.#call(Method.finalize), 212, [1, 2]);
  }

  // Rows as objects by column.
  query(sql) {
    const columns = [];
    const cells = [];
    for (const reply of this.#call(Method.query, 103, bytesField(1, Buffer.from(sql)))) {
      if (!reply[203]) continue;
      for (const [field, value] of new Reader(reply[203]).fields()) {
        if (field === 1) columns.push(value.toString());
        else if (field === 2 && value.length) throw new Error(`${value}\n  in: ${sql}`);
        else if (field === 3) cells.push(...cellsOf(value));
      }
    }
    const rows = [];
    for (let at = 0; columns.length && at + columns.length <= cells.length; at += columns.length)
      rows.push(Object.fromEntries(columns.map((column, index) => [column, cells[at + index]])));
    return rows;
  }

  value(sql) {
    return Object.values(this.query(sql)[0])[0];
  }
}
