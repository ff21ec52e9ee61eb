// The library in WebAssembly against the native one. usage: node run.mjs ANSWERS ANSWERS_WASM PROGRAM SOURCES
// Lines of "bits" must be the same. Angles may differ in their last bits, because sines and arc tangents do: glibc and
// wasi-libc round about one in thirty sines and one in six arc tangents differently.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';

const [answers, wasm, program, sources] = process.argv.slice(2);
const SKIPPED = 77;
const ULPS = 8, MM = 1e-9;

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

// C's hexadecimal floats, such as -0x1.8p+3.
function number(word) {
  const match = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([-+]\d+)$/.exec(word);
  if (!match) return Number(word.replace('inf', 'Infinity'));
  const fraction = (match[3] ?? '').padEnd(13, '0');
  const value = (Number(match[2]) + parseInt(fraction, 16) / 2 ** 52) * 2 ** Number(match[4]);
  return match[1] ? -value : value;
}

const close = (a, b, within) => a === b || Math.abs(number(a) - number(b)) <= within;

// angle NAME limited overlaps angle x y z kind elements. On a hip with a plane of symmetry two elements may touch at the
// same time; which of them is named is then left to rounding.
function sameAngle(a, b) {
  const [p, q] = [a.split(' '), b.split(' ')];
  if (p.slice(0, 4).join() !== q.slice(0, 4).join()) return false;
  if (!close(p[4], q[4], ULPS * Math.abs(number(p[4])) * 2 ** -53)) return false;
  return [5, 6, 7].every((i) => close(p[i], q[i], MM));
}

if (!existsSync(wasm)) skip(`${wasm} is not there; \`make wasm\` builds it`);
if (newest(sources) > statSync(wasm).mtimeMs) skip(`${wasm} is older than the sources; \`make wasm\` builds it`);
const folder = mkdtempSync(join(tmpdir(), 'synovia-wasm-'));
try {
  execFileSync(program, ['shape', 'hip', '-o', folder, '-q']);
  const native = execFileSync(answers, [folder], { encoding: 'utf8' }).trimEnd().split('\n');
  const ours = (await runWasm(folder)).trimEnd().split('\n');
  let wrong = Math.abs(native.length - ours.length), rounded = 0;
  native.forEach((line, i) => {
    if (line === ours[i]) return;
    if (line.startsWith('angle') && ours[i]?.startsWith('angle') && sameAngle(line, ours[i])) {
      rounded++;
      return;
    }
    wrong++;
    console.log(`native ${line}\nwasm   ${ours[i]}`);
  });
  console.log(`wasm: ${native.length} answers, ${native.length - rounded - wrong} with the same bits, ` +
    `${rounded} angles rounded differently, ${wrong} wrong`);
  process.exitCode = wrong || native.length < 50 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
