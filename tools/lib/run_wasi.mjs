// node run_wasi.mjs PROGRAM.wasm [ARGUMENTS]: runs a wasm32-wasi program that touches no files.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...args] });
// getImportObject() is missing in Node 18.
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(program), imports);
process.exit(wasi.start(instance));
