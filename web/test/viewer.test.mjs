/* `synovia view` itself with a real browser in front of it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { difference, drawn, keep, launch, noBrowser, openPage, PATIENCE, pixels, placeOn } from "./browser.mjs";
import { noProgram, startViewer } from "./program.mjs";

describe("the viewer and its page", { skip: noProgram || noBrowser }, () => {
  let viewer,
    browser,
    page,
    model,
    flying = 0;
  const asked = { pose: [], edit: [], save: [] };
  const control = (name) => page.locator(`#scene [name="${name}"]`);
  const number = (name) => page.locator(`.live-panel [data-number="${name}"]`);
  const shown = async (name) => Number(await number(name).getAttribute("data-value"));
  /** Until a number is so within a tenth. */
  const comes = (name, value) =>
    page.waitForFunction(
      ([name, value]) => Math.abs(document.querySelector(`.live-panel [data-number="${name}"]`)?.dataset.value - value) < 0.1,
      [name, value],
    );
  const largest = () => page.locator(".legend").textContent();

  before(async () => {
    viewer = await startViewer();
    browser = await launch();
    page = await openPage(browser, viewer.address, {
      answer: (route) => (route.request().url().startsWith(viewer.address) ? route.continue() : route.abort()),
    });
    page.on("request", (request) => {
      ++flying;
      asked[request.url().split("/").at(-1)]?.push(request.postDataJSON());
    });
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, () => --flying);
    model = JSON.parse(await page.locator("#synovia-report").textContent());
  });
  after(() => browser.close());

  /** Lets the viewer answer all that an act has asked it, and returns which poses these were. */
  async function poses(act) {
    const from = asked.pose.length,
      until = Date.now() + PATIENCE;
    await act();
    while (asked.pose.length === from || flying) {
      assert.ok(Date.now() < until, `${asked.pose.length - from} poses asked, ${flying} requests not answered`);
      await drawn(page);
    }
    await drawn(page);
    return asked.pose.slice(from);
  }

  test("the slider and the motions are answered: angles, limits, colours", async () => {
    const index = model.motions.findIndex((motion) => motion.name === "flexion"),
      flexion = model.motions[index],
      last = flexion.poses.length - 1;
    await poses(() => control("motion").selectOption(String(index))); // goes to its limit
    await poses(() => control("step").fill("0"));
    await comes("flexion", 0);
    const free = await shown("free_flexion"),
      limit = model.tables.find((table) => table.name === "motions").rows.find((row) => row.motion === "Flexion").angle,
      start = await largest();
    assert.ok(Math.abs(free - limit) < 0.06, `${free} for ${limit}`);
    assert.match(start, /Largest now/);
    const sent = await poses(() => control("step").fill(String(last)));
    assert.deepEqual(sent.at(-1), { matrix: flexion.poses[last], field: "pose_depth" });
    await comes("flexion", flexion.along.values[last]);
    assert.ok(Math.abs((await shown("free_flexion")) - (limit - flexion.along.values[last])) < 0.11);
    assert.ok((await shown("free_extension")) > limit, "at the limit the way back is free");
    assert.notEqual(await largest(), start);
  });

  test("so is the choice of the field, also none", async () => {
    const depth = await pixels(page);
    assert.equal((await poses(() => control("field").selectOption("pose_radial"))).at(-1).field, "pose_radial");
    assert.match(await largest(), /along the radius.*Largest now/);
    const radial = await pixels(page);
    assert.ok(difference(depth, radial) > 0.001);
    assert.equal((await poses(() => control("field").selectOption(""))).at(-1).field, "");
    assert.ok(difference(radial, await pixels(page)) > 0.001);
    await poses(() => control("field").selectOption("pose_depth"));
    assert.equal(difference(depth, await pixels(page)), 0);
  });

  test("a dragged femur is answered, and poses per second are shown", async () => {
    const free = await shown("free_flexion");
    await control("pose").click();
    const [x, y] = await placeOn(page, "femur");
    // every text of the panel from here on: the poses per second are gone a second later
    await page.evaluate(() => {
      const panel = document.querySelector(".live-panel");
      window.told = [];
      new MutationObserver(() => window.told.push(panel.textContent)).observe(panel, { childList: true, subtree: true, characterData: true });
    });
    await page.mouse.down();
    await poses(() => page.mouse.move(x - 20, y + 120, { steps: 12 }));
    await page.mouse.up();
    assert.equal(await page.locator(".timeline output").textContent(), "Free pose");
    assert.ok(Math.abs((await shown("free_flexion")) - free) > 5);
    await page.waitForFunction(() => window.told.some((text) => /[1-9]\d* poses? in the last second/.test(text)));
    assert.equal((await poses(() => control("field").selectOption("pose_radial"))).at(-1).field, "pose_radial");
    await control("pose").click();
    await keep(page, "viewer.png");
  });

  test("contacts are marked at the pose where there are some", async () => {
    const index = model.motions.findIndex((motion) => motion.name === "flexion"),
      { poses: all, contact, along } = model.motions[index];
    await control("motion").selectOption(String(index));
    await poses(() => control("step").fill(String(all.length - 1)));
    assert.ok(along.values.at(-1) >= contact.angle_deg && (await shown("clearance_femur_labrum")) <= 0.01);
    await control("contacts").check();
    const marked = await pixels(page);
    await control("contacts").uncheck();
    assert.ok(difference(marked, await pixels(page)) > 0.0001);
    await control("contacts").check();
  });

  test("a centre and a landmark are picked and saved; the numbers follow", async () => {
    const flexion = () => page.locator('.range[data-range="flexion"]').getAttribute("data-value"),
      before = await flexion();
    await control("anterior").click();
    await control("place").selectOption("center");
    const box = await page.locator(".stage").boundingBox();
    await poses(() => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 15));
    const [{ center }] = asked.edit;
    assert.ok(Math.abs(center[2] - model.frame.center[2]) > 1, "up");
    assert.notEqual(await flexion(), before);
    await control("reload").waitFor();
    await control("place").selectOption("greater_trochanter");
    const [x, y] = await placeOn(page, "femur");
    await poses(() => page.mouse.click(x, y));
    assert.equal(asked.edit[1].marker, "greater_trochanter");
    await control("save").click();
    await page.locator('[name="save"]', { hasText: "Saved" }).waitFor();
    const joint = JSON.parse(readFileSync(viewer.saved, "utf8"));
    assert.equal(joint.bodies.length, 6);
    center.forEach((value, k) => assert.ok(Math.abs(joint.center[k] - value) < 1e-6, `${joint.center}`));
    asked.edit[1].point.forEach((value, k) => assert.ok(Math.abs(joint.frame.landmarks.greater_trochanter[k] - value) < 1e-6));
  });

  test("it ends on Ctrl-C without complaint", async () => {
    assert.deepEqual(page.complaints, []);
    assert.equal(await viewer.interrupt(), 0);
  });
});
