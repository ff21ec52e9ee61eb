// The library in WebAssembly against the native one. usage: node run.mjs ANSWERS ANSWERS_WASM PROGRAM SOURCES
// Every line must be the same.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';

const [answers, wasm, program, sources] = process.argv.slice(2);
const SKIPPED = 77;

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

function skip(why) {
  console.log(`wasm: skipped: ${why}`);
  process.exit(SKIPPED);
}

async function runWasm(folder) {
  const output = join(folder, 'wasm.txt');
  const stdout = openSync(output, 'w');
  const wasi = new WASI({ version: 'preview1', args: ['answers', '/hip'], preopens: { '/hip': folder }, stdout });
  const module = await WebAssembly.compile(readFileSync(wasm));
  const imports = { wasi_snapshot_preview1: wasi.wasiImport };
  const code = wasi.start(await WebAssembly.instantiate(module, imports));
  if (code) throw new Error(`answers.wasm ended with ${code}`);
  return readFileSync(output, 'utf8');
}

if (!existsSync(wasm)) skip(`${wasm} is not there; \`make wasm\` builds it`);
if (newest(sources) > statSync(wasm).mtimeMs) skip(`${wasm} is older than the sources; \`make wasm\` builds it`);
const folder = mkdtempSync(join(tmpdir(), 'synovia-wasm-'));
try {
  execFileSync(program, ['shape', 'hip', '-o', folder, '-q']);
  const native = execFileSync(answers, [folder], { encoding: 'utf8' }).trimEnd().split('\n');
  const ours = (await runWasm(folder)).trimEnd().split('\n');
  let wrong = Math.abs(native.length - ours.length);
  native.forEach((line, i) => {
    if (line === ours[i]) return;
    wrong++;
    console.log(`native ${line}\nwasm   ${ours[i]}`);
  });
  console.log(`wasm: ${native.length} answers, ${wrong} wrong`);
  process.exitCode = wrong || native.length < 50 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
