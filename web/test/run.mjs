/* All tests of the page, or with SYNOVIA_LARGE only those of large reports. Leaves with 77, which ctest takes for
 * "skipped", where no browser can be had. */
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
const files = readdirSync(folder).filter((name) => name.endsWith(process.env.SYNOVIA_LARGE ? "large.test.mjs" : ".test.mjs"));
// One after the other: each file has a browser of its own, and they would wait for each other's pictures. A busy machine
// can make a browser miss a moment: a file that fails is given one more try, aloud; what is broken fails twice.
const flags = ["--test", "--test-concurrency=1", "--test-reporter=spec"];
const passes = (name) => spawnSync(process.execPath, [...flags, join(folder, name)], { stdio: "inherit" }).status === 0;
let failed = files.filter((name) => !passes(name));
if (failed.length) {
  console.log(`second try: ${failed.join(", ")}`);
  failed = failed.filter((name) => !passes(name));
}
process.exit(failed.length ? 1 : 0);
