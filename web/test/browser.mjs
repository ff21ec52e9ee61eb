/* A headless browser without network, and pages written to files for it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { pageOf } from "./fixture.mjs";

const web = fileURLToPath(new URL("..", import.meta.url));
// The one without windows takes a sixth less of the processor.
const programs = ["chromium-headless-shell", "chromium"].map((name) => join("/usr/bin", name)),
  program = process.env.SYNOVIA_CHROMIUM ?? programs.find(existsSync) ?? programs[0];
/** Where pictures are kept for people to look at; without it none are made, since that takes longer than most checks. */
export const shots = process.env.SYNOVIA_SHOTS ?? null;
/** A reason to skip, or false. */
export const noBrowser = existsSync(program) ? false : `no Chromium at ${program} (set SYNOVIA_CHROMIUM)`;

const work = mkdtempSync(join(tmpdir(), "synovia-page-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
if (shots) mkdirSync(shots, { recursive: true });

/** A picture of a page or of a part of it, where somebody wants to look at it. */
export async function keep(what, name, options = {}) {
  if (shots) await what.screenshot({ path: join(shots, name), ...options });
}

/** A PDF, kept like pictures. */
export function printed(page, name, options = {}) {
  return page.pdf({ format: "A4", ...(shots && { path: join(shots, name) }), ...options });
}

let bundle;
/** As the program has it, where that is built (SYNOVIA_PAGE); else bundled here. */
function bundled() {
  if (!bundle) {
    const from = process.env.SYNOVIA_PAGE ?? work;
    if (from === work) execFileSync(process.execPath, [join(web, "build.mjs"), work]);
    bundle = {
      script: readFileSync(join(from, "page.js"), "utf8"),
      style: readFileSync(join(from, "page.css"), "utf8"),
    };
  }
  return bundle;
}

// The page is put together without the graphics that its scene uses: software does that twice as fast. All pages of a browser share one
// process, which saves a tenth of it.
const flags =
  "--no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-gpu-compositing --renderer-process-limit=1";

/** How long anything may take, in ms: nothing is decided by it but that a page hangs, also where ten others want the processor. */
export const PATIENCE = 180_000;

function start(more) {
  return chromium.launch({ executablePath: program, args: [...flags.split(" "), ...more], timeout: PATIENCE });
}

/** The browser that all tests of this process share while anybody uses it: starting one takes longer than most tests. */
let shared = null,
  users = 0;

/** For pages; with flags of its own a browser of its own. `close` closes the pages opened here. */
export async function launch(...more) {
  if (more.length) return start(more);
  ++users;
  const browser = await (shared ??= start([])),
    contexts = [];
  return {
    newPage: async (options) => {
      const page = await browser.newPage(options);
      contexts.push(page.context());
      return page;
    },
    close: async () => {
      await Promise.all(contexts.map((each) => each.close()));
      if (--users) return;
      shared = null;
      await browser.close();
    },
  };
}

/** Writes the made report (or its HTML as changed by `edit`) and opens it as openFile does. */
export async function open(browser, made, { edit = (html) => html, ...options } = {}) {
  const { script, style } = bundled(),
    file = join(work, `${Math.random().toString(36).slice(2)}.html`);
  writeFileSync(file, edit(pageOf(made, script, style)));
  return openFile(browser, file, options);
}

export function openFile(browser, file, options) {
  return openPage(browser, pathToFileURL(file).href, options);
}

/** That of pages which ask for no other. */
export const SCREEN = { width: 1280, height: 800 };

/** `page.complaints` collects what the console and the page complain about. `answer` may serve requests that go beyond
 * files. `first` runs in the page before its own script. */
export async function openPage(browser, address, { ready = true, answer = null, first = null, ...options } = {}) {
  const page = await browser.newPage({ viewport: SCREEN, ...options });
  page.setDefaultTimeout(PATIENCE);
  if (first) await page.addInitScript(first);
  page.complaints = [];
  // To hide the caret the driver would add a style, which the policy of the page refuses aloud.
  for (const shooter of [page, Object.getPrototypeOf(page.locator("body"))]) {
    const plain = shooter.screenshot;
    if (!plain.keepsCaret)
      shooter.screenshot = Object.assign(
        function (how) {
          return plain.call(this, { caret: "initial", ...how });
        },
        { keepsCaret: true },
      );
  }
  page.on("console", (message) => {
    // The driver warns about its own slowness when pixels are read; that is not the page's message.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()))
      page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith("file:") || url.startsWith("blob:") || url.startsWith("data:")) return route.continue();
    return answer ? answer(route) : route.abort();
  });
  await page.goto(address);
  if (ready) await settled(page);
  return page;
}

/** After the scene is loaded and drawn. */
export async function settled(page) {
  await page.waitForSelector(".stage[data-ready]");
  await page.waitForSelector("body[data-ready]");
  await drawn(page);
}

/** After the next frames. */
export function drawn(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A place on the screen where a body is seen, from the middle outward; with the pointer there. */
export async function placeOn(page, body) {
  const box = await page.locator(".stage").boundingBox(),
    places = Array.from({ length: 169 }, (_, k) => [(k % 13) - 6, Math.floor(k / 13) - 6]);
  places.sort(([a, b], [c, d]) => Math.hypot(a, b) - Math.hypot(c, d));
  for (const [i, j] of places) {
    const place = [box.x + box.width * (0.5 + i / 14), box.y + box.height * (0.5 + j / 14)];
    await page.mouse.move(...place);
    const found = await page.evaluate(async (name) => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const reading = document.querySelector(".reading");
      return !reading.hidden && reading.dataset.body === name;
    }, body);
    if (found) return place;
  }
  throw new Error(`no ${body} on screen`);
}

/** Every seventh of words of 32 bits as text, for the way out of the browser. */
const TO_TEXT = `(words) => {
  const few = new Uint32Array(Math.ceil(words.length / 7));
  for (let i = 0; i < few.length; ++i) few[i] = words[7 * i];
  const bytes = new Uint8Array(few.buffer);
  if (bytes.toBase64) return bytes.toBase64(); // in a fifth of the time, where the browser has it
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}`;
const fromText = (text) => new Uint32Array(new Uint8Array(Buffer.from(text, "base64")).buffer); // a copy: Node's buffers share theirs

/** After all values asked for have been unpacked. */
export function loaded(page) {
  return page.waitForSelector(".stage:not([aria-busy])");
}

/** The scene's pixels as RGBA, every seventh, drawn in full as after printing: that is the picture at rest without the wait. */
export async function pixels(page) {
  await loaded(page);
  return fromText(
    await page.evaluate(`(() => {
      dispatchEvent(new Event("afterprint"));
      const canvas = document.querySelector(".stage > canvas"),
        gl = canvas.getContext("webgl2"),
        words = new Uint32Array(canvas.width * canvas.height);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(words.buffer));
      return (${TO_TEXT})(words);
    })()`),
  );
}

/** The same of the cells of a comparison, of each its own, as paper has them; of the first `count` cells. */
export async function cellPixels(page, count = 100) {
  await loaded(page);
  const texts = await page.evaluate(`(() => {
    dispatchEvent(new Event("beforeprint"));
    const pictures = [...document.querySelectorAll(".cell canvas")].slice(0, ${count}).map((each) => {
      const { data } = each.getContext("2d").getImageData(0, 0, each.width, each.height);
      return (${TO_TEXT})(new Uint32Array(data.buffer));
    });
    dispatchEvent(new Event("afterprint"));
    return pictures;
  })()`);
  return texts.map(fromText);
}

const axe = join(web, "node_modules/axe-core/axe.min.js");
/** A reason to skip, or false. */
export const noAxe = existsSync(axe) ? false : "axe-core is not installed";

/** What axe-core finds wrong with a page: rules of WCAG 2.2 AA and good practice, and the elements. `within` a
 * selector, or in all of it. */
export async function faults(page, within = "html") {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(async (within) => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await window.axe.run(within, {
      runOnly: { type: "tag", values: tags },
      resultTypes: ["violations"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
  }, within);
}

export function painted(image) {
  return image.reduce((count, pixel) => count + (pixel >>> 24 ? 1 : 0), 0);
}

/** The share of pixels that differ. */
export function difference(a, b) {
  return a.reduce((count, pixel, i) => count + (pixel === b[i] ? 0 : 1), 0) / a.length;
}
