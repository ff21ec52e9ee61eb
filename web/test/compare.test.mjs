/* Several reports side by side in a real browser. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { cellPixels, difference, launch, noBrowser, open, painted, pixels, shots } from "./browser.mjs";
import { makeComparison } from "./fixture.mjs";

const made = makeComparison([
  { cam: 4, title: "Before", quads: 30 },
  { cam: 0.8, title: "After", quads: 30 },
]);

/** The same bodies, called a left hip in the second column: what is lateral in one is medial in the other. */
describe("a right hip beside a left one", { skip: noBrowser }, () => {
  test("is seen from the same side of the body", async () => {
    const sides = makeComparison([
      { title: "Right", quads: 16 },
      { title: "Left", quads: 16 },
    ]);
    sides.model.items[1].frame.side = "left";
    const browser = await launch(),
      page = await open(browser, sides);
    const cells = async (look) => {
      await page.locator(`#scene [name="${look}"]`).click();
      return (await cellPixels(page, 2)).map((cell) => new Uint8Array(cell.buffer));
    };
    /** Share of the values that differ. */
    const apart = (a, b) => a.reduce((count, x, i) => count + (Math.abs(x - b[i]) > 40), 0) / a.length;
    const [lateral, leftLateral] = await cells("lateral"),
      [medial, leftMedial] = await cells("medial");
    const unlike = apart(lateral, medial),
      alike = [apart(leftLateral, medial), apart(leftMedial, lateral)];
    assert.ok(unlike > 0.02 && alike.every((x) => x < 0.2 * unlike), `${alike} differ, ${unlike} between the sides`);
    assert.deepEqual(page.complaints, []);
    await browser.close();
  });
});

describe("the page of a comparison", { skip: noBrowser }, () => {
  let browser, page;
  before(async () => {
    browser = await launch();
    page = await open(browser, made);
  });
  after(async () => {
    assert.deepEqual(page.complaints, []);
    await browser.close();
  });
  const control = (name) => page.locator(`#scene [name="${name}"]`);
  test("has a view for every motion and report, over one canvas", async () => {
    assert.equal(await page.locator(".grid > .cell").count(), 6);
    assert.equal(await page.locator(".stage > canvas").count(), 1);
    assert.ok(painted(await pixels(page)) > 2000);
    await page.screenshot({ path: join(shots, "compare.png"), fullPage: true });
    const [, , before, after] = await cellPixels(page);
    assert.ok(difference(before, after) > 0, "the cam shows");
  });

  test("links camera, slider and colours", async () => {
    const views = () => cellPixels(page, 2),
      differ = (all, others) => all.every((each, i) => difference(each, others[i]) > 0);
    const first = await views();
    const box = await page.locator(".grid > .cell").first().boundingBox();
    await page.mouse.move(box.x + 120, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 190, box.y + 120, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(5, 5);
    const turned = await views();
    assert.ok(differ(turned, first), "both turn");
    await control("step").fill("2");
    assert.ok(differ(await views(), turned), "both move");
    await control("step").fill("15");
    await control("cup").click();
    await control("field").selectOption("pressure");
    const before = await pixels(page);
    await control("transfer").selectOption("grey");
    assert.ok(difference(before, await pixels(page)) > 0.001);
  });

  test("lays its rows out by motions, places, fields or the slider", async () => {
    for (const [kind, count] of [
      ["one", 2],
      ["places", 6],
      ["fields", 4],
      ["motions", 6],
    ]) {
      await control("rows").selectOption(kind);
      assert.equal(await page.locator(".grid > .cell").count(), count, kind);
      assert.ok(painted(await pixels(page)) > 500, kind);
    }
  });

  test("shows numbers and differences", async () => {
    const rows = await page
      .locator('table[data-table="compare"] tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.cells].map((each) => each.textContent)));
    const alpha = made.model.items.map((item) => item.ranges[0].value);
    assert.deepEqual(rows[0], [
      "Alpha angle",
      "deg",
      "38 to 50\u00b0",
      ...[alpha[0], alpha[1], alpha[1] - alpha[0]].map((x) => String(Number(x.toFixed(3))).replace("-", "\u2212")),
    ]);
    assert.equal(rows.length, made.model.items[0].ranges.length);
  });

  test("prints every view in its place", async () => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const inks = await page.locator(".grid > .cell > .picture > canvas").evaluateAll((all) =>
      all.map((picture) => {
        const { data } = picture.getContext("2d").getImageData(0, 0, picture.width, picture.height);
        return picture.checkVisibility() ? data.filter((x, i) => i % 4 === 3 && x > 0).length : 0;
      }),
    );
    assert.equal(inks.length, 6);
    for (const ink of inks) assert.ok(ink > 1000, `${inks} pixels`);
    assert.equal(await page.locator(".stage > canvas").isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    const { length } = await page.pdf({ path: join(shots, "compare.pdf"), format: "A4" });
    assert.ok(length < 2e6, `${length} bytes: each view once, not the whole canvas for each`);
    assert.equal(await page.locator(".picture").count(), 0);
  });

  test("draws the curves of all reports over each other", async () => {
    const legend = await page.locator(".u-legend").first().textContent();
    assert.match(legend, /Radial depth, Before/);
    assert.match(legend, /Radial depth, After/);
    assert.equal(await page.locator(".heat-map").count(), 2);
  });
});
