/* What is still to be fetched for a task: a line "FOLDER SHA512 ADDRESS" for every package of package-lock.json that the task
 * needs on this system and that is not in node_modules in its locked version. In the folder of package.json:
 * node packages.mjs bundle|test|all */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const { dependencies, devDependencies } = read("package.json");
const locked = read("package-lock.json").packages;

const bundle = [...Object.keys(dependencies), "esbuild"];
const tasks = { bundle, test: [...bundle, "playwright-core", "axe-core"], all: [...bundle, ...Object.keys(devDependencies)] };

const runsHere = ({ os, cpu }) => (os ?? [process.platform]).includes(process.platform) && (cpu ?? [process.arch]).includes(process.arch);

/** The folder in which `name` is found from within the package in `from`, as node searches. */
function folderOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf("/node_modules/"), 0))) {
    const folder = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (locked[folder]) return folder;
    if (!at) throw new Error(`package-lock.json does not have ${name}`);
  }
}

function collect(name, from, found) {
  const folder = folderOf(name, from),
    entry = locked[folder];
  if (found.has(folder) || !runsHere(entry)) return;
  found.add(folder);
  for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) collect(next, folder, found);
}

function isThere(folder) {
  try {
    return read(`${folder}/package.json`).version === locked[folder].version;
  } catch {
    return false;
  }
}

/** As npm has it: from the environment, from .npmrc, or else its own. Without npm a package of Debian knows the rules. */
async function registryOf(scope) {
  const own = process.env.npm_config_registry ?? process.env.NPM_CONFIG_REGISTRY;
  if (own) return own;
  try {
    return (await import("/usr/share/nodejs/registry-url/index.js")).default(scope);
  } catch {
    const npm = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
    if (npm.status === 0) return npm.stdout.trim();
  }
  throw new Error("no registry is known; install the package node-registry-url or npm, or set NPM_CONFIG_REGISTRY");
}

async function line(folder) {
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length),
    { version, integrity } = locked[folder],
    sum = Buffer.from(integrity.match(/sha512-(\S+)/)[1], "base64").toString("hex"),
    registry = (await registryOf(name.startsWith("@") ? name.split("/")[0] : undefined)).replace(/\/+$/, "");
  return `${folder} ${sum} ${registry}/${name}/-/${name.split("/").pop()}-${version}.tgz`;
}

try {
  const wanted = tasks[process.argv[2]];
  if (!wanted) throw new Error("usage: node packages.mjs bundle|test|all");
  const found = new Set();
  for (const name of wanted) collect(name, "", found);
  for (const folder of [...found].filter((each) => !isThere(each))) console.log(await line(folder));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
