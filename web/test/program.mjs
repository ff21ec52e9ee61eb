/* Reports that the program itself writes, for tests and pictures. */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = process.env.SYNOVIA_PROGRAM ?? fileURLToPath(new URL("../../build/release/synovia", import.meta.url));
const data = process.env.SYNOVIA_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
/** A reason to skip, or false. */
export const noProgram = existsSync(program) ? false : `no program at ${program} (set SYNOVIA_PROGRAM)`;

const work = mkdtempSync(join(tmpdir(), "synovia-real-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/** One after the other, while the browser is busy with what is there already. */
let last = Promise.resolve();
function run(...words) {
  last = last.then(() => promisify(execFile)(program, [...words, "-q"]));
  return last;
}

/** What is made by `make` is made once, however often it is asked for. */
function once(make) {
  const made = new Map();
  return (key) => {
    if (!made.has(key)) {
      made.set(key, make(key));
      made.get(key).catch(() => {}); // reported where it is awaited
    }
    return made.get(key);
  };
}

/** A report's file, what it holds, and the result and warnings beside it. */
function read(folder) {
  const file = join(folder, "report.html"),
    html = readFileSync(file, "utf8");
  return {
    file,
    html,
    model: JSON.parse(html.match(/<script type="application\/json" id="synovia-report">(.*?)<\/script>/s)[1]),
    ...JSON.parse(readFileSync(join(folder, "result.json"), "utf8")),
  };
}

/** As people get it. */
export const demo = once(async () => {
  const out = join(work, "demo");
  await run("demo", "--draws", "2", "-o", out);
  return read(out);
});

async function makeShape(name, alpha, resolution) {
  const out = join(work, `shape-${name}`);
  await run("shape", "hip", "--alpha", String(alpha), "--resolution", String(resolution), "-o", out);
  return out;
}

async function analysed(name, shape, ...words) {
  const out = join(work, `hip-${name}`),
    joint = join(shape, "joint.json");
  await run("hip", joint, "--draws", "2", ...words, "-o", out);
  return { ...read(out), opens: [joint] };
}

export const parametricHip = once(async (alpha) => analysed(alpha, await makeShape(alpha, alpha, 2)));

/** The same with a title, as people give one. */
export const titledHip = once(async (alpha) => analysed(`titled-${alpha}`, await makeShape(`titled-${alpha}`, alpha, 3), "--title", `Alpha ${alpha}\u00b0`));

/** As coarse as can be, where it is not looked at closely. */
const smallShape = once(() => makeShape("small", 70, 2));
export const smallHip = once(async () => analysed("small", await smallShape()));

/** Two bodies that are no hip. */
export const lever = once(async () => {
  const [shape, out] = ["lever-shape", "lever"].map((name) => join(work, name));
  await run("shape", "lever", "-o", shape);
  await run("rom", join(shape, "joint.json"), "-o", out);
  return read(out);
});

/** A beam of soft tissue that sags and swings. */
export const simulation = once(async () => {
  const out = join(work, "simulation"),
    scene = fileURLToPath(new URL("../../examples/scenes/beam.json", import.meta.url));
  await run("simulate", scene, "-o", out);
  return { ...read(out), inputs: [scene] };
});

/** A graft between two cubes, as planned and with the best tunnels. */
export const graft = once(async () => {
  const [femur, tibia, out] = ["graft-femur", "graft-tibia", "graft"].map((name) => join(work, name));
  await run("shape", "cube", "--edge", "30", "-o", femur);
  await run("shape", "cube", "--edge", "70", "-o", tibia);
  const outlets = ["--femur-outlet", "2,-15,0", "--tibia-outlet", "0,-35,0", "--to", "6", "--step", "3", "--search", "2"];
  await run("surgery", "graft", join(femur, "cube.ply"), join(tibia, "cube.ply"), ...outlets, "-o", out);
  return read(out);
});

/** The bones of a person, or null where they are not at hand. */
export const personHip = once(async (side) => {
  const [pelvis, femur] = ["Hip", "Femur"].map((bone) => join(data, `vsd_NC/z013/${bone}_${side}.ply`));
  if (!existsSync(pelvis) || !existsSync(femur)) return null;
  const out = join(work, `person-${side}`);
  await run("hip", pelvis, femur, "--draws", "2", "-o", out);
  return { ...read(out), inputs: [pelvis, femur], opens: [pelvis, femur] };
});

/** Bones that may be shown with their source (BodyParts3D), or null where they are not at hand. */
export const atlasHip = once(async () => {
  const bones = ["hip_bone_R_FMA16586", "femur_R_FMA24474"].map((bone) => join(data, `bodyparts3d/${bone}.ply`)),
    out = join(work, "atlas");
  if (!bones.every(existsSync)) return null;
  await run("hip", ...bones, "--title", "Hip of an atlas", "-o", out);
  return { ...read(out), inputs: bones };
});

/** The plan of docs/surgery.md. */
export const resection = once(async () => {
  const [shape, out] = ["cam", "plan"].map((name) => join(work, name));
  await run("shape", "hip", "--alpha", "70", "--cam-width", "90", "--ce", "30", "--anatomy", "1", "-o", shape);
  await run("surgery", "resect", join(shape, "joint.json"), "--step", "1", "--title", "Resection of a cam", "-o", out);
  return read(out);
});

/** The seven hips of docs/evidence/sensitivity.md, or null where they are not at hand. */
export const centerStudy = once(async () => {
  const pairs = [
      ...["R", "L"].map((side) => [`z013 ${side}`, `vsd_NC/z013/Hip_${side}.ply`, `vsd_NC/z013/Femur_${side}.ply`]),
      ["BodyParts3D R", "bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply"],
      ["BodyParts3D L", "bodyparts3d/hip_bone_L_FMA16587.ply", "bodyparts3d/femur_L_FMA24475.ply"],
      ["ICL R", "staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply"],
      ...["r", "l"].map((side) => [`JIA ${side.toUpperCase()}`, "staple_NC/JIA_MRI/pelvis_no_sacrum.ply", `staple_NC/JIA_MRI/femur_${side}.ply`]),
    ],
    cases = pairs.map(([name, pelvis, femur]) => ({ name, pelvis: join(data, pelvis), femur: join(data, femur) })),
    file = join(work, "centres.json"),
    out = join(work, "centres");
  if (!cases.every(({ pelvis, femur }) => existsSync(pelvis) && existsSync(femur))) return null;
  writeFileSync(file, JSON.stringify({ synovia_study: 1, name: "centres", analyses: ["sensitivity"], page: fileURLToPath(new URL("../../examples/works/arbabi2009-centres.json", import.meta.url)), cases }));
  await run("study", file, "-o", out);
  return join(out, "report.html");
});

/** What a test of the library writes with stress in it, or null where that is not built. */
export async function stressPage() {
  const test = process.env.SYNOVIA_STRESS ?? join(dirname(program), "tests/test_report_stress"),
    file = join(work, "stress.html");
  if (!existsSync(test)) return null;
  await promisify(execFile)(test, { env: { ...process.env, SYNOVIA_KEEP: file } });
  return file;
}

/** A page with several reports. */
export async function comparison(...reports) {
  const file = join(work, "compare.html");
  await run("report", "compare", ...reports.map((report) => report.file), "-o", file);
  return file;
}

/** The small hip with a frame from landmarks instead of axes, so that they can be moved. */
async function jointWithLandmarks() {
  const shape = await smallShape(),
    joint = JSON.parse(readFileSync(join(shape, "joint.json"), "utf8")),
    file = join(shape, "landmarks.json");
  const landmarks = {
    asis: [40, 30, 90],
    asis_other: [-200, 30, 90],
    psis: [-30, -120, 90],
    psis_other: [-130, -120, 90],
    medial_epicondyle: [-40, 0, -400],
    lateral_epicondyle: [40, 0, -400],
  };
  writeFileSync(file, JSON.stringify({ ...joint, frame: { landmarks } }));
  return file;
}

/** The viewer on a small hip: its address, where it saves, and how it ends. */
export async function startViewer() {
  const saved = join(work, "saved.json");
  return { saved, ...(await viewerOf(await jointWithLandmarks(), "--save", saved)) };
}

/** The viewer of a joint file or of bones. */
export async function viewerOf(...files) {
  const child = spawn(program, ["view", ...files, "-q"], { stdio: ["ignore", "pipe", "inherit"] }),
    ended = new Promise((done) => child.on("exit", (code, signal) => done(code ?? signal)));
  process.on("exit", () => child.kill("SIGKILL"));
  const address = await Promise.race([
    new Promise((found) => createInterface(child.stdout).once("line", found)),
    ended.then((code) => Promise.reject(new Error(`the viewer ended with ${code}`))),
  ]);
  return { address, interrupt: () => (child.kill("SIGINT"), ended) };
}
