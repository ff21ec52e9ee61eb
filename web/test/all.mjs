/* Several files of tests in one process, so that they share one browser and one bundle of the page. usage: all.mjs FILE... */
import { test } from "node:test";
import { launch } from "./browser.mjs";

const browser = await launch();
for (const file of process.argv.slice(2)) await import(`./${file}`);
test("the browser closes", () => browser.close());
