/* Reports that compute by themselves: the answers of the program, and a page that gives them from a file. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { drawn, faults, keep, launch, noAxe, noBrowser, openFile, placeOn } from "./browser.mjs";
import { loadModule } from "./modules.mjs";
import { noProgram, personHip, smallHip as makeSmallHip, viewerOf } from "./program.mjs";

const { WasmHip } = await loadModule("live/wasm-hip"),
  { readPoseAnswer } = await loadModule("live/protocol"),
  { hipPose, hipAngles } = await loadModule("live/hip-pose"),
  { readable } = await loadModule("page/numbers");

const blobOf = ({ html }, id) =>
  inflateRawSync(Buffer.from(html.match(new RegExp(`id="${id}">([^<]*)<`))[1], "base64"));
const openHip = (report) => WasmHip.open(blobOf(report, "wasm-blob-0"), blobOf(report, "hip-blob-0"));

/** A reason to skip, or false: built without clang, reports compute nothing. */
const smallHip = noProgram ? null : await makeSmallHip();
const skip = noProgram || (smallHip.html.includes('id="wasm-blob-0"') ? false : "the page was built without WebAssembly");

async function ask(viewer, what, body) {
  const response = await fetch(viewer.address + what, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response.arrayBuffer();
}

/** The viewer of the person's bones, or of the small hip in their place; one for all tests, none of which edits it. */
let viewerOfAll = null;
const theViewer = async () => (viewerOfAll ??= viewerOf(...((await personHip("R")) ?? smallHip).opens));
after(async () => (await viewerOfAll)?.interrupt());

/** Poses all over the range of motion; the same every time. */
const posesOf = ({ frame }, count) =>
  Array.from({ length: count }, (_, i) =>
    hipPose(frame, -20 + ((37 * i) % 140), 25 * Math.sin(1.7 * i), 40 * Math.cos(2.3 * i)),
  );

describe("the hip in the page", { skip }, () => {
  let small;
  before(async () => (small = await openHip(smallHip)));

  /** Whole answers to 100 poses, byte by byte; where some differ, by what is said. Returns how many a second has. */
  async function compare(hip, report, viewer) {
    const fields = ["pose_depth", "pose_radial", ""];
    let same = 0,
      ms = 0;
    for (const [i, matrix] of posesOf(report.model, 100).entries()) {
      const field = fields[i % 3],
        from = performance.now(),
        ours = hip.pose(matrix, field);
      ms += performance.now() - from;
      const theirs = await ask(viewer, "pose", { matrix, field });
      if (Buffer.from(ours).equals(Buffer.from(theirs))) ++same;
      else assert.deepEqual(readPoseAnswer(ours), readPoseAnswer(theirs), `pose ${i}`);
    }
    assert.equal(same, 100);
    return 1e5 / ms;
  }

  test("limits are those of the report", () => {
    const { numbers } = readPoseAnswer(small.limits()).answer;
    for (const { name, contact } of smallHip.model.motions.filter((motion) => motion.contact))
      assert.equal(numbers.find((number) => number.name === name).value, contact.angle_deg, name);
  });

  test("gives the program's bits on 100 poses, also about another centre", async () => {
    const viewer = await viewerOf(...smallHip.opens),
      hip = small,
      center = smallHip.model.frame.center.map((x, k) => x + [0.5, -0.25, 1][k]);
    await compare(hip, smallHip, viewer);
    hip.setCenter(center);
    await ask(viewer, "edit", { center });
    const request = { matrix: posesOf(smallHip.model, 1)[0], field: "pose_depth" };
    assert.deepEqual(
      readPoseAnswer(hip.pose(request.matrix, request.field)).values,
      readPoseAnswer(await ask(viewer, "pose", request)).values,
    );
    assert.throws(() => hip.pose([1, 2, 3], ""), /not/);
    await viewer.interrupt();
  });

  test("also of a person's bones, whose page stays below 4 MB", async (t) => {
    const report = await personHip("R");
    if (!report) return t.skip("no bones of a person");
    const hip = await openHip(report),
      size = statSync(report.file).size,
      rate = await compare(hip, report, await theViewer());
    t.diagnostic(`${rate.toFixed(0)} poses per second, page of ${size} bytes`);
    assert.ok(size < 4e6, `${size} bytes`);
  });

  test("joint angles of a pose are those that made it", () => {
    for (const angles of [
      [0, 0, 0],
      [90, -20, 35],
      [-30, 15, -60],
    ])
      hipAngles(smallHip.model.frame, hipPose(smallHip.model.frame, ...angles)).forEach((angle, i) =>
        assert.ok(Math.abs(angle - angles[i]) < 1e-9),
      );
  });
});

describe("a report that answers from a file", { skip: skip || noBrowser }, () => {
  let browser, page, report;
  const control = (name) => page.locator(`#scene [name="${name}"]`),
    number = (name) => page.locator(`.live-panel [data-number="${name}"]`),
    /** With all its digits; people read fewer. */
    shown = async (name) => Number(await number(name).getAttribute("data-value")),
    /** Until a number is so within a tenth. */
    comes = (name, value) =>
      page.waitForFunction(
        ([name, value]) => Math.abs(document.querySelector(`.live-panel [data-number="${name}"]`)?.dataset.value - value) < 0.1,
        [name, value],
      );
  before(async () => {
    browser = await launch();
    report = (await personHip("R")) ?? smallHip;
    page = await openFile(browser, report.file, { viewport: { width: 1440, height: 900 } });
  });
  after(() => browser.close());

  /** Types an angle and waits for its answer. */
  async function type(axis, degrees) {
    await enter(axis, degrees);
    await comes(axis, degrees);
  }

  async function enter(axis, degrees) {
    await control(`number-${axis}`).fill(String(degrees));
    await control(`number-${axis}`).press("Enter");
  }

  test("typed angles are answered as by the program", async (t) => {
    const first = await page.evaluate(() => performance.getEntriesByName("synovia-first-frame")[0].startTime);
    t.diagnostic(`first frame after ${first.toFixed(0)} ms`);
    const angles = [40, -5, 10];
    await type("flexion", angles[0]);
    await type("adduction", angles[1]);
    await type("rotation", angles[2]);
    const matrix = hipPose(report.model.frame, ...angles),
      { answer } = readPoseAnswer(await ask(await theViewer(), "pose", { matrix, field: "pose_depth" }));
    for (const { name, value: expected, words, unit } of answer.numbers) {
      const text = await number(name).textContent();
      assert.equal(text, words ?? readable(expected, unit), name);
      if (expected !== null) assert.equal(await shown(name), expected, name); // to the last bit
    }
    assert.match(await page.locator(".legend").textContent(), /Depth at this pose.*Largest now/);
    await keep(page, "computing.png");
    assert.deepEqual(page.complaints, []);
  });

  test("stops at contact", async () => {
    // The small hip, which stands in where there are no data, overlaps where the last test left it.
    const begin = report === smallHip ? 10 : 40;
    if (report === smallHip) {
      await type("adduction", 0);
      await type("rotation", 0);
    }
    await type("flexion", begin);
    await page.getByLabel("Stop at contact").check();
    const free = await shown("free_flexion"),
      limit = begin + free;
    assert.ok(free > 1, `${free}`);
    await enter("flexion", 150);
    await comes("free_flexion", 0);
    assert.ok(Math.abs((await shown("flexion")) - limit) < 0.11, `${limit}`);
  });

  test("stops there also where the answer to the pose before is still on its way", async () => {
    const flexion = report.model.motions.find(({ name }) => name === "flexion").contact.angle_deg,
      stop = page.getByLabel("Stop at contact");
    await stop.uncheck();
    for (const axis of ["adduction", "rotation"]) await enter(axis, 0);
    await enter("flexion", 10);
    await stop.check();
    await enter("flexion", 150);
    await comes("flexion", flexion);
    await comes("free_flexion", 0);
    await stop.uncheck();
  });

  test("answers while the slider is dragged", async (t) => {
    // for as long as SYNOVIA_DRAG_MS says where the rate is wanted
    const ms = Number(process.env.SYNOVIA_DRAG_MS ?? 400),
      rate = await page.evaluate(async (ms) => {
        const slider = document.querySelector('[name="angle-flexion"]'),
          numbers = document.querySelector(".live-panel .numbers"),
          until = performance.now() + ms;
        let answers = 0;
        new MutationObserver(() => ++answers).observe(numbers, { childList: true, characterData: true, subtree: true });
        for (let i = 0; performance.now() < until; ++i) {
          slider.value = String(20 + (i % 60));
          slider.dispatchEvent(new Event("input"));
          await new Promise((done) => setTimeout(done, 5));
        }
        return (1000 * answers) / ms;
      }, ms);
    t.diagnostic(`${rate} live poses per second in the page`);
    assert.ok(rate > 0);
  });

  test("a cut of the brush gains degrees, and undo takes them back", async () => {
    await page.locator(".changes > summary").click();
    await page.locator('[data-limit="flexion"]').waitFor();
    const limits = () => page.locator(".changes .numbers").textContent(),
      before = await limits(),
      [x, y] = await placeOn(page, "femur");
    await control("cut").click();
    await page.mouse.click(x, y);
    await page.locator(".changes output", { hasText: "of bone removed" }).waitFor();
    await drawn(page);
    await keep(page, "computing-cut.png");
    await control("undo-cut").click();
    await page.waitForFunction(
      (text) =>
        document.querySelector(".changes output").textContent === "" &&
        document.querySelector(".changes .numbers").textContent === text,
      before,
    );
    await control("cut").click();
  });

  test("a larger joint surface stops less, and the old one as before", async (t) => {
    if (report === smallHip) return t.skip("no bones of a person");
    const radius = control("joint-radius"),
      flexion = page.locator('[data-limit="flexion"]'),
      was = Number(await radius.inputValue()),
      before = Number(await flexion.getAttribute("data-value")),
      set = async (mm) => {
        await radius.fill(String(mm));
        await radius.press("Enter");
      },
      /** Until flexion ends further on by more than a tenth of a degree, or not. */
      further = (wanted) =>
        page.waitForFunction(
          ([before, wanted]) => {
            const { dataset } = document.querySelector('[data-limit="flexion"]'),
              value = dataset.value === undefined ? Infinity : Number(dataset.value); // nothing stops it
            return value > before + 0.1 === wanted && value > before - 0.1;
          },
          [before, wanted],
        );
    assert.ok(was > 10 && before > 0, `${was} ${before}`);
    await set(was + 8);
    await further(true);
    await set(was);
    await further(false);
    assert.deepEqual(page.complaints, []);
  });

  test("another centre changes the range of motion", async () => {
    const limit = page.locator('[data-limit="flexion"]'),
      before = await limit.textContent();
    await control("place").selectOption("center");
    await control("nudge-step").selectOption("5");
    await control("nudge-4").click(); // superior
    await page.waitForFunction((text) => document.querySelector('[data-limit="flexion"]').textContent !== text, before);
    assert.match(await limit.textContent(), /\([+\u2212]\d/);
    assert.deepEqual(page.complaints, []);
  });

  test("nothing is wrong with it by axe-core", { skip: noAxe }, async () => assert.deepEqual(await faults(page, ".live-panel"), []));

  test("shows what was recorded where WebAssembly is missing", async () => {
    const plain = await openFile(browser, smallHip.file, { first: () => delete globalThis.WebAssembly });
    assert.equal(await plain.locator(".live-panel").count(), 0);
    assert.equal(await plain.locator('[name="field"] option[value^="pose_"]').count(), 0);
    await plain.locator('#scene [name="step"]').fill("3");
    assert.deepEqual(plain.complaints, []);
    await plain.close();
  });

  test("says so where it is not let compute, and goes on with what was recorded", async () => {
    const refuse = () => {
      WebAssembly.compile = () => Promise.reject(new Error("refused"));
      globalThis.Worker = class {
        constructor() {
          throw new Error("workers are not let in");
        }
      };
    };
    const plain = await openFile(browser, smallHip.file, { first: refuse });
    await plain.locator('[name="number-flexion"]').fill("30");
    await plain.locator('[name="number-flexion"]').press("Enter");
    await plain.locator(".message", { hasText: "workers are not let in" }).waitFor();
    assert.equal(await plain.locator(".live-panel").count(), 0);
    assert.notEqual(await plain.locator('[name="field"]').inputValue(), "pose_depth");
    await plain.close();
  });
});
