/* Tests of the page, in parts that may run side by side: run.mjs page|program|large. Leaves with 77, which ctest takes
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
// What the program itself writes and serves, and the rest, which takes as long.
const ofProgram = ["live.test.mjs", "real.test.mjs", "viewer.test.mjs"];
const parts = {
  page: (name) => !ofProgram.includes(name),
  program: (name) => ofProgram.includes(name),
  large: (name) => name === "large.test.mjs",
};
const part = process.argv[2] ?? "page";
const files = readdirSync(folder).filter((name) => name.endsWith(".test.mjs") && parts[part](name));
if (part === "program" && files.length !== ofProgram.length) throw new Error(`of ${ofProgram} only ${files} are there`);
// One after the other: each file has a browser of its own, and many would wait for each other's pictures. A busy machine
// can make a browser miss a moment: a file that fails is given one more try, aloud; what is broken fails twice.
const flags = ["--test", "--test-concurrency=1", "--test-reporter=spec"];
const passes = (name) => spawnSync(process.execPath, [...flags, join(folder, name)], { stdio: "inherit" }).status === 0;
let failed = files.filter((name) => !passes(name));
if (failed.length) {
  console.log(`second try: ${failed.join(", ")}`);
  failed = failed.filter((name) => !passes(name));
}
process.exit(failed.length ? 1 : 0);
