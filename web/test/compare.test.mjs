/* Several reports side by side in a real browser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  cellPixels,
  difference,
  drawn,
  faults,
  keep,
  launch,
  loaded,
  noAxe,
  noBrowser,
  open,
  painted,
  pixels,
  printed,
  settled,
} from "./browser.mjs";
import { areaAboveSlowly, makeComparison } from "./fixture.mjs";

const made = makeComparison([
  { cam: 4, title: "Before", quads: 30 },
  { cam: 0.8, title: "After", quads: 30 },
]);

/** What the program writes of one report above the views. */
const SAID = `<div class="item"><ul class="summary"><li class="verdict">Too little</li><li>Flexion</li><li>Extension</li></ul></div>`;

/** The same bodies, called a left hip in the second column: what is lateral in one is medial in the other. */
describe("a right hip beside a left one", { skip: noBrowser }, () => {
  test("is seen from the same side of the body", async () => {
    const sides = makeComparison([
      { title: "Right", quads: 16 },
      { title: "Left", quads: 16 },
    ]);
    sides.model.items[1].frame.side = "left";
    const browser = await launch(),
      page = await open(browser, sides, { edit: (html) => html.replace("</h1>", `</h1>${SAID}`) });
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
    // Sides are named, and of the sentences only the verdict stands above the views.
    assert.match(await page.locator('table[data-table="compare"] thead').textContent(), /Left, left/);
    assert.deepEqual(await page.locator(".item > ul.summary > li").allTextContents(), ["Too little"]);
    assert.match(await page.locator(".item details.more > summary").textContent(), /2 more/);
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
    await keep(page, "compare.png", { fullPage: true });
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
    await control("table").selectOption("grey");
    assert.ok(difference(before, await pixels(page)) > 0.001);
  });

  test("lays its rows out by motions, places, fields or the slider", async () => {
    for (const [kind, count] of [
      ["one", 2],
      ["places", 6],
      ["frames", 12],
      ["fields", 6], // one of them how the surfaces differ
      ["levels", 6],
      ["motions", 6],
    ]) {
      await control("rows").selectOption(kind);
      assert.equal(await page.locator(".grid > .cell").count(), count, kind);
      assert.ok(painted(await pixels(page)) > 500, kind);
    }
  });

  const known = () => page.waitForSelector('.grid[data-areas="known"]');
  const spark = (index) => page.locator(".cell .spark-box").nth(index);
  const areaOf = async (index) => Number(await spark(index).getAttribute("data-value"));
  const labels = () => page.locator(".row-label").allTextContents();

  /** The femur's area above a level at a step, by brute force. */
  function expected(report, motion, step, level) {
    const { points, triangles, fields } = made.plain[report].femur,
      from = step * points.length;
    return areaAboveSlowly(points, triangles, fields[`depth/${motion}`].slice(from, from + points.length), level);
  }
  const near = (area, other) => assert.ok(Math.abs(area - other) <= 2e-3 * other + 0.02, `${area} mm2 for ${other}`);

  test("has rows by threshold, each with its own colours and area", async () => {
    await control("anterior").click();
    await control("field").selectOption("depth");
    await control("table").selectOption("viridis");
    await control("motion").selectOption("0");
    await control("step").fill("20");
    await control("rows").selectOption("levels");
    await known();
    assert.deepEqual(await labels(), ["Depth above 1.0 mm", "Depth above 2.0 mm", "Depth above 3.0 mm"]);
    for (const [row, level] of [1, 2, 3].entries())
      for (const report of [0, 1]) near(await areaOf(2 * row + report), expected(report, "flexion", 20, level));
    assert.ok(
      (await areaOf(0)) > (await areaOf(2)) && (await areaOf(2)) > (await areaOf(4)),
      "less above a higher level",
    );
    const [one, , two] = await cellPixels(page);
    assert.ok(difference(one, two) > 0.0005, "each row has its own level");
    const history = (await spark(2).getAttribute("data-history")).split(" ").map(Number);
    assert.equal(history.length, made.model.items[0].motions[0].poses.length);
    for (const step of [0, 8, 15, 22]) near(history[step], expected(0, "flexion", step, 2));
    assert.match(
      await spark(2).locator("svg").getAttribute("aria-label"),
      /^Femur, depth above 2\.0 mm: 0\.00 mm\u00b2 to [\d.]+ mm\u00b2, now [\d.]+ mm\u00b2$/,
    );
    await keep(page.locator("#scene"), "compare-thresholds.png");
  });

  test("copies and changes rows", async () => {
    await page.locator('[name="copy-row"]').nth(1).click();
    assert.equal(await page.locator(".grid > .cell").count(), 8);
    assert.equal(await control("rows").inputValue(), "own");
    const editor = page.locator(".row-editor").nth(2);
    await editor.locator("summary").click();
    const change = (name) => editor.locator(`[name="${name}"]`);
    await change("row-level").fill("2.5");
    await change("row-level").press("Tab");
    await known();
    near(await areaOf(4), expected(0, "flexion", 20, 2.5));
    near(await areaOf(2), expected(0, "flexion", 20, 2));
    await change("row-motion").focus();
    await change("row-motion").selectOption("internal_rotation");
    assert.equal(await page.evaluate(() => document.activeElement.name), "row-motion", "the focus stays");
    await change("row-time").selectOption("frame");
    await change("row-frame").fill("6");
    await change("row-frame").press("Enter");
    await known();
    near(await areaOf(4), expected(0, "internal_rotation", 5, 2.5));
    assert.equal(
      (await labels())[2],
      "Internal rotation at 90 degrees, internal rotation 15\u00b0, depth above 2.5 mm",
    );
    await change("row-field").selectOption("pressure");
    await change("row-shape").selectOption("log");
    await change("row-level").fill("3");
    await change("row-level").press("Enter");
    await known();
    const { points, triangles, fields } = made.plain[0].acetabular_cartilage;
    near(await areaOf(4), areaAboveSlowly(points, triangles, fields["pressure/null"], 3));
    assert.match(await spark(4).textContent(), /Acetabular cartilage, above 3\.00 MPa/);
    assert.equal(await spark(4).locator("svg").isVisible(), false, "what holds throughout has no curve");
    await page.locator('[name="remove-row"]').nth(3).click();
    assert.equal(await page.locator(".grid > .cell").count(), 6);
  });

  test("computes cells from others, which follow when those change", async () => {
    const cards = page.locator(".computed-cell"),
      result = async (index) => Number(await cards.nth(index).locator(".spark-box").getAttribute("data-value"));
    await page.locator('[name="add-computed"]').click();
    await page.locator('[name="add-computed"]').click();
    await cards.nth(1).locator('[name="computed-left"]').selectOption("=1");
    await cards.nth(1).locator('[name="computed-operator"]').selectOption("/");
    await cards.nth(1).locator('[name="computed-right"]').selectOption("A1");
    assert.deepEqual(await cards.evaluateAll((all) => all.map((each) => each.dataset.formula)), ["A1-B1", "=1/A1"]);
    const agree = async () => {
      await known();
      const [a, b] = [await areaOf(0), await areaOf(1)];
      assert.equal(await result(0), a - b);
      assert.equal(await result(1), (a - b) / a);
      return a;
    };
    const first = await agree();
    await control("step").fill("12");
    const second = await agree();
    assert.notEqual(first, second, "the slider has moved");
    await page.locator(".row-editor summary").first().click();
    await page.locator('[name="row-level"]').first().fill("0.4");
    await page.locator('[name="row-level"]').first().press("Enter");
    assert.notEqual(await agree(), second, "the threshold has changed");
    const history = (await cards.first().locator(".spark-box").getAttribute("data-history")).split(" ").map(Number);
    near(history[18], expected(0, "flexion", 18, 0.4) - expected(1, "flexion", 18, 0.4));
    await page.locator('[name="copy-row"]').first().click();
    assert.equal(await cards.first().getAttribute("data-formula"), "A1-B1");
    await page.locator('[name="remove-row"]').first().click();
    assert.equal(await cards.first().getAttribute("data-formula"), "-", "its cells are gone");
    assert.match(await cards.first().textContent(), /none/);
    await page.locator('[name="remove-computed"]').first().click();
    assert.deepEqual(await cards.evaluateAll((all) => all.map((each) => each.dataset.formula)), ["/"]);
    await cards.first().locator('[name="computed-left"]').selectOption("B1");
    await cards.first().locator('[name="computed-right"]').selectOption("A1");
    await page.locator(".computed").scrollIntoViewIfNeeded();
    await keep(page, "compare-computed.png");
  });

  test("has no fault that axe-core knows", { skip: noAxe }, async () => {
    assert.deepEqual(await faults(page), []);
  });

  test("keeps its rows, cells and colours in the address", async () => {
    await control("table").selectOption("ember");
    await page.waitForFunction(() => location.hash.includes("ember") && location.hash.includes("B1"));
    const state = async () => [
      await labels(),
      await page.locator(".computed-cell").evaluateAll((all) => all.map((each) => each.dataset.formula)),
      await control("table").inputValue(),
      await control("step").inputValue(),
      await areaOf(0),
    ];
    const before = await state();
    await page.reload();
    await settled(page);
    await known();
    assert.deepEqual(await state(), before);
    await control("areas").click();
    assert.equal(await spark(0).isVisible(), false);
    assert.equal(await page.locator(".computed").isVisible(), false);
    await control("areas").click();
    await control("table").selectOption("viridis");
    await control("motion").selectOption("1");
    await control("step").fill("15");
    await control("rows").selectOption("motions");
  });

  test("shows each at its own limit, and how the bones differ as colours", async () => {
    await control("rows").selectOption("limits");
    await loaded(page);
    await drawn(page);
    const captions = await page.locator(".cell .caption").allTextContents();
    made.model.items.forEach((item, i) =>
      assert.equal(captions[2 + i], `Internal rotation ends at ${item.motions[1].along.values.at(-1).toFixed(0)}\u00b0`),
    );
    await control("rows").selectOption("one");
    await control("anterior").click(); // with the femur, which "into the cup" hides
    await control("motion").selectOption("0");
    await control("step").fill("0");
    const plainly = await cellPixels(page, 2);
    await control("field").selectOption("difference_mm");
    await page.waitForFunction(() => /outside that of A/.test(document.querySelector(".legend").textContent));
    const [first, second] = await cellPixels(page, 2);
    assert.ok(difference(second, plainly[1]) > 0.01);
    // The cam of the second is smaller: blue there, and nothing on the first, with which it is compared.
    const strong = (image) => image.filter((pixel) => Math.abs((pixel & 255) - ((pixel >>> 16) & 255)) > 90).length;
    assert.ok(strong(second) > 3 * strong(first) && strong(second) > 40, `${strong(first)}, ${strong(second)}`);
    await control("field").selectOption("depth");
    await control("motion").selectOption("1");
    await control("rows").selectOption("motions");
  });

  test("shows numbers and differences", async () => {
    const rows = await page
      .locator('table[data-table="compare"] tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.cells].map((each) => each.textContent)));
    const alpha = made.model.items.map((item) => item.ranges[0].value);
    assert.deepEqual(rows[0], [
      "Alpha angle",
      "\u00b0",
      "38 to 50\u00b0",
      ...alpha.map((x) => x.toFixed(0)),
      `${Math.round(alpha[1]) - Math.round(alpha[0])}`.replace("-", "\u2212"),
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
    const widths = await page.locator(".picture > canvas").evaluateAll((all) => all.map((each) => each.width));
    assert.ok(widths[0] + widths[1] <= 1500, `${widths}: no finer than paper shows`);
    assert.equal(await page.locator(".stage > canvas").isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    const { length } = await printed(page, "compare.pdf");
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
