/* Bundles src/main.ts and src/page.css into one script and one style sheet. usage: node build.mjs OUTDIR */
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const out = process.argv[2] ?? "dist";
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

await mkdir(out, { recursive: true });
await build({
  entryPoints: [fileURLToPath(new URL("src/main.ts", import.meta.url))],
  outfile: join(out, "page.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  define: { LICENCES: JSON.stringify(await licences()) },
  logLevel: "warning",
});
/* A script that ends its own element would break the page it is put into. */
const script = await readFile(join(out, "page.js"), "utf8");
await writeFile(join(out, "page.js"), script.replaceAll("</script", "<\\/script"));
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
