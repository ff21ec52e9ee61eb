/* Modules of the page, loaded without a browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const work = mkdtempSync(join(tmpdir(), "synovia-modules-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

export async function loadModule(name) {
  const outfile = join(work, `${name.replaceAll("/", "-")}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    logLevel: "error",
  });
  return import(pathToFileURL(outfile));
}
