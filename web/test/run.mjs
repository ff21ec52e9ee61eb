/* Tests of the page, in parts that run side by side: run.mjs page|reports|computing|large. Leaves with 77, which ctest takes
 * for "skipped", where no browser can be had. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));

async function reasonToSkip() {
  try {
    return (await import("./browser.mjs")).noBrowser;
  } catch (error) {
    return `the packages of the page are not installed: ${error.message}`;
  }
}

const reason = await reasonToSkip();
if (reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
// What the program itself writes and serves takes longest. Every other file is of the page alone. A part has one browser: starting it
// takes longer than most tests.
const ofProgram = {
  reports: ["real.test.mjs"],
  computing: ["computing.test.mjs", "live.test.mjs", "viewer.test.mjs"],
};
const part = process.argv[2] ?? "page",
  all = readdirSync(folder).filter((name) => name.endsWith(".test.mjs")),
  elsewhere = Object.values(ofProgram).flat(),
  parts = { ...ofProgram, page: all.filter((name) => !elsewhere.includes(name)), large: ["large.test.mjs"] },
  files = parts[part];
if (!files?.length || !files.every((name) => all.includes(name))) throw new Error(`the files of ${part} are not there`);
// All in one process with one browser (all.mjs). A busy machine can make a browser miss a moment: what fails is given one
// more try, each file alone and aloud; what is broken fails twice.
const passes = (...words) =>
  spawnSync(process.execPath, ["--test-reporter=spec", "--test-reporter-destination=stdout", ...words], {
    stdio: "inherit",
  }).status === 0;
if (passes(join(folder, "all.mjs"), ...files)) process.exit(0);
console.log(`second try: ${files.join(", ")}`);
process.exit(files.filter((name) => !passes(join(folder, name))).length ? 1 : 0);
