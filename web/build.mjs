/* Bundles src/main.ts and src/page.css into one script and one style sheet. usage: node build.mjs OUTDIR [WASM]
 * WASM, as base64 of raw deflate, becomes page.wasm.txt; empty without it. */
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const [out = "dist", wasm = ""] = process.argv.slice(2);
const parts = ["three", "three-mesh-bvh", "uplot"];

/** The licences of what the bundle contains, shown in the page. */
async function licences() {
  const texts = parts.map(async (name) => {
    const folder = new URL(`node_modules/${name}/`, import.meta.url);
    const { version } = JSON.parse(await readFile(new URL("package.json", folder), "utf8"));
    return `${name} ${version}\n\n${(await readFile(new URL("LICENSE", folder), "utf8")).trim()}`;
  });
  return (await Promise.all(texts)).join("\n\n----\n\n");
}

const script = (name) => ({
  entryPoints: [fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

await mkdir(out, { recursive: true });
/* The page has one script: it carries that of its worker as text. */
const worker = await build({ ...script("live/worker"), write: false });
await build({
  ...script("main"),
  outfile: join(out, "page.js"),
  define: { LICENCES: JSON.stringify(await licences()), WORKER: JSON.stringify(worker.outputFiles[0].text) },
});
/* A script that ends its own element would break the page it is put into. */
const page = await readFile(join(out, "page.js"), "utf8");
await writeFile(join(out, "page.js"), page.replaceAll("</script", "<\\/script"));
await build({
  stdin: {
    contents: '@import "uplot/dist/uPlot.min.css"; @import "./src/page.css";',
    resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    loader: "css",
  },
  outfile: join(out, "page.css"),
  bundle: true,
  minify: true,
  logLevel: "warning",
});
const module = wasm ? deflateRawSync(await readFile(wasm), { level: 9 }).toString("base64") : "";
await writeFile(join(out, "page.wasm.txt"), module);
