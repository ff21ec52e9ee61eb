/* Reports that the program itself writes, for tests and pictures. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = process.env.SYNOVIA_PROGRAM ?? fileURLToPath(new URL("../../build/release/synovia", import.meta.url));
const data = process.env.SYNOVIA_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
/** A reason to skip, or false. */
export const noProgram = existsSync(program) ? false : `no program at ${program} (set SYNOVIA_PROGRAM)`;

const work = mkdtempSync(join(tmpdir(), "synovia-real-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

function run(...words) {
  execFileSync(program, [...words, "-q"], { stdio: ["ignore", "ignore", "inherit"] });
}

/** A report's file, what it holds and the result beside it. */
function made(folder) {
  const file = join(folder, "report.html"),
    html = readFileSync(file, "utf8");
  return {
    file,
    model: JSON.parse(html.match(/<script type="application\/json" id="synovia-report">(.*?)<\/script>/s)[1]),
    result: JSON.parse(readFileSync(join(folder, "result.json"), "utf8")),
  };
}

export function demo() {
  run("demo", "-o", join(work, "demo"));
  return made(join(work, "demo"));
}

export function parametricHip(alpha) {
  const shape = join(work, `shape-${alpha}`),
    out = join(work, `hip-${alpha}`);
  run("shape", "hip", "--alpha", String(alpha), "--resolution", "3", "-o", shape);
  run("hip", join(shape, "joint.json"), "-o", out);
  return made(out);
}

/** The bones of a person, or null where they are not at hand. */
export function personHip(side) {
  const [pelvis, femur] = ["Hip", "Femur"].map((bone) => join(data, `vsd_NC/z013/${bone}_${side}.ply`));
  if (!existsSync(pelvis) || !existsSync(femur)) return null;
  const out = join(work, `person-${side}`);
  run("hip", pelvis, femur, "-o", out);
  return made(out);
}

/** A page with several reports. */
export function comparison(...reports) {
  const file = join(work, "compare.html");
  run("report", "compare", ...reports.map((report) => report.file), "-o", file);
  return file;
}
