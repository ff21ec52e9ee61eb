/* Modules of the page, loaded without a browser. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const work = mkdtempSync(join(tmpdir(), "synovia-modules-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const source = fileURLToPath(new URL("../src", import.meta.url));

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** All of them at once: what several have in common is read once. What runs by itself when it is loaded is no module. */
const built = new Promise((done, failed) => {
  const alone = ["main.ts", "live/worker.ts"].map((name) => join(source, name));
  build({
    entryPoints: filesBelow(source).filter((path) => path.endsWith(".ts") && !alone.includes(path)),
    outbase: source,
    outdir: work,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    logLevel: "error",
  }).then(done, failed);
});

export async function loadModule(name) {
  await built;
  return import(pathToFileURL(join(work, `${name}.mjs`)));
}
