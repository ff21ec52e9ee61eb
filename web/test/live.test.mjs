/* The viewer's part of the page against a server that this test plays. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { difference, drawn, keep, launch, noBrowser, open, PATIENCE, pixels, placeOn } from "./browser.mjs";
import { makeReport } from "./fixture.mjs";

const made = makeReport({ quads: 30, live: { url: "http://viewer.invalid/token" } });
const { model } = made,
  femur = model.bodies[1];

/** Degrees by which a pose turns. */
const turnOf = ([a, , , , , b, , , , , c]) => (Math.acos(Math.min(1, (a + b + c - 1) / 2)) * 180) / Math.PI;
/** Where the bodies meet, in any direction. */
const LIMIT = 20;

/** As live/protocol.ts says: depth 0 to 6 mm along the vertices. */
function poseAnswer(value, matrix, field) {
  const text = JSON.stringify({
    fields: field ? [{ body: "femur", name: "depth", low: 0, step: 6 / 65534, offset: 0 }] : [],
    numbers: [
      { name: "depth", label: "Depth", unit: "mm", value },
      { name: "free_flexion", label: "Free flexion", unit: "deg", value: LIMIT - turnOf(matrix) },
    ],
    contacts: [model.frame.center],
  });
  const json = Buffer.from(text.padEnd(4 * Math.ceil(text.length / 4))),
    head = Buffer.alloc(4);
  head.writeUInt32LE(json.length);
  return Buffer.concat([
    head,
    json,
    Buffer.from(
      Uint16Array.from({ length: femur.mesh.vertices }, (_, i) => Math.floor((65534 * i) / femur.mesh.vertices)).buffer,
    ),
  ]);
}

describe("the viewer's page", { skip: noBrowser }, () => {
  let browser,
    page,
    flying = { pose: 0, edit: 0, save: 0 },
    renewing = null,
    progress = { share: null };
  const seen = { pose: [], edit: [], save: [] };
  const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
  async function answer(route) {
    const request = route.request(),
      what = request.url().split("/").at(-1);
    if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers });
    assert.ok(request.url().startsWith("http://viewer.invalid/token/"));
    if (what === "") return void (renewing = route); // answered when the test has seen enough
    if (what === "progress") return route.fulfill({ status: 200, headers, json: progress });
    seen[what].push(request.postDataJSON());
    // of one kind: a pose may be on its way when an edit is made (web/src/live/protocol.ts)
    assert.equal(++flying[what], 1, `one ${what} at a time`);
    await new Promise((done) => setTimeout(done, 30));
    --flying[what];
    const { matrix, field } = request.postDataJSON() ?? {};
    if (what === "pose") return route.fulfill({ status: 200, headers, body: poseAnswer(seen.pose.length, matrix, field) });
    if (what === "edit") {
      const markers = model.markers.map((marker) =>
        marker.name === request.postDataJSON().marker ? { ...marker, point: request.postDataJSON().point } : marker,
      );
      const notes = ["The head has no room to turn."];
      return route.fulfill({ status: 200, headers, json: { frame: model.frame, markers, ranges: model.ranges, notes } });
    }
    if (seen.save.length > 1) return route.fulfill({ status: 500, headers, json: { error: "the disk is full" } });
    return route.fulfill({ status: 200, headers, json: { file: "joint.json" } });
  }
  before(async () => {
    browser = await launch();
    page = await open(browser, made, { answer });
  });
  after(() => browser.close());
  const control = (name) => page.locator(`#scene [name="${name}"]`);
  /** Until the page has asked for so many, every answer is there, and nothing more is asked for. */
  async function answered(what, count) {
    const until = Date.now() + PATIENCE,
      open = () => flying.pose + flying.edit + flying.save;
    for (let before = -1; seen[what].length < count || open() || seen[what].length !== before; ) {
      assert.ok(Date.now() < until, `${seen[what].length} of ${count} asked for, ${open()} not answered`);
      before = seen[what].length;
      await page.waitForTimeout(60); // longer than an answer takes
      await drawn(page);
    }
  }

  test("turns the femur about the centre by dragging, one request at a time", async () => {
    const [x, y] = await placeOn(page, "femur"),
      from = await pixels(page),
      before = seen.pose.length;
    assert.ok(before >= 1, "asked for as soon as the page is there");
    await control("pose").click();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 30, { steps: 30 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelector('[data-number="depth"]'));
    await answered("pose", before + 1);
    assert.ok(difference(from, await pixels(page)) > 0.02);
    const sent = seen.pose.length - before;
    assert.ok(sent >= 1 && sent <= 30, `${sent} poses were sent`);
    const { matrix, field } = seen.pose.at(-1),
      center = model.frame.center;
    assert.equal(field, "depth");
    assert.equal(matrix.length, 12);
    for (let i = 0; i < 3; ++i) {
      const moved =
        matrix[4 * i] * center[0] + matrix[4 * i + 1] * center[1] + matrix[4 * i + 2] * center[2] + matrix[4 * i + 3];
      assert.ok(Math.abs(moved - center[i]) < 1e-9, "the centre stays");
    }
    assert.match(
      await page.locator('[data-number="depth"]').textContent(),
      new RegExp(`^${seen.pose.length}\\.0+ mm$`),
    );
    assert.match(await page.locator(".legend").textContent(), /Largest now 6\.0 mm, Femur/);
    await keep(page, "live.png");
  });

  test("turns it by keys too", async () => {
    const count = seen.pose.length;
    await page.locator(".stage > canvas").focus();
    await page.keyboard.press("ArrowRight");
    await answered("pose", count + 1);
    assert.equal(seen.pose.length, count + 1);
    await control("pose").click();
  });

  test("stops at contact where it is asked to, wherever the drag goes", async () => {
    await control("motion").selectOption("0");
    await control("step").fill("0"); // free
    await control("stop").check();
    await control("pose").click();
    const [x, y] = await placeOn(page, "femur");
    await page.mouse.down();
    await page.mouse.move(x + 150, y, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelector(".timeline output").textContent === "At contact");
    await answered("pose", 1);
    const turn = turnOf(seen.pose.at(-1).matrix);
    assert.ok(turn <= LIMIT && turn > LIMIT - 1.5, `${turn} degrees`);
    await control("stop").uncheck();
    await control("pose").click();
  });

  test("places landmarks by picking", async () => {
    const [x, y] = await placeOn(page, "femur");
    await control("place").selectOption("rim_top");
    await page.mouse.click(x, y);
    await answered("edit", 1);
    assert.equal(seen.edit.length, 1);
    await page.locator(".notes li", { hasText: "no room to turn" }).waitFor();
    await page.locator(".message", { hasText: "no room to turn" }).getByRole("button").click();
    assert.equal(seen.edit[0].marker, "rim_top");
    const { point } = seen.edit[0],
      distance = Math.hypot(...point.map((v, k) => v - model.frame.center[k]));
    assert.ok(distance > 23 && distance < 75, `${distance} mm from the centre`);
    await control("place").selectOption("");
  });

  test("moves the centre to where it is pressed on the screen", async () => {
    await control("anterior").click();
    const box = await page.locator(".stage").boundingBox();
    await control("place").selectOption("center");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 20);
    await answered("edit", 2);
    const moved = seen.edit.at(-1).center.map((x, k) => x - model.frame.center[k]);
    assert.ok(Math.abs(moved[0]) < 1e-6 && Math.abs(moved[1]) < 1, `${moved}: neither to the side nor in depth`);
    assert.ok(moved[2] > 2 && moved[2] < 10, `${moved}: up`);
  });

  test("nudges what is chosen along the axes of the body, and takes edits back", async () => {
    const until = (count) => answered("edit", count),
      before = seen.edit.length,
      center = model.frame.center;
    await control("nudge-step").selectOption("1");
    await control("nudge-4").click(); // superior
    await until(before + 1);
    seen.edit.at(-1).center.forEach((x, k) => assert.ok(Math.abs(x - center[k] - model.frame.up[k]) < 1e-9));
    await control("undo").click();
    await until(before + 2);
    assert.deepEqual(seen.edit.at(-1), { center });
    await control("undo").click(); // where it was pressed on the screen
    await until(before + 3);
    await control("undo").click(); // the landmark
    await until(before + 4);
    assert.deepEqual(seen.edit.at(-1), { marker: "rim_top", point: model.markers.find(({ name }) => name === "rim_top").point });
    assert.ok(await control("undo").isDisabled());
    await control("place").selectOption("");
    assert.ok(await control("nudge-4").isDisabled());
  });

  test("renews without leaving the page, and says how far the analysis itself has come", async () => {
    const bar = page.locator(".renewal progress");
    progress = { share: 0.25, step: 3, steps: 8, doing: "envelope of motion" };
    await control("reload").click();
    await page.locator(".renewal .told", { hasText: "Step 3 of 8: envelope of motion" }).waitFor();
    assert.equal(await bar.getAttribute("value"), "0.25");
    // however long it takes, the bar goes on with the work alone
    await page.waitForTimeout(600);
    assert.equal(await bar.getAttribute("value"), "0.25");
    progress = { share: 0.875, step: 8, steps: 8, doing: "preparing the report" };
    await page.locator(".renewal .told", { hasText: "Step 8 of 8: preparing the report" }).waitFor();
    assert.equal(await bar.getAttribute("value"), "0.875");
    await renewing.fulfill({ status: 503, headers, body: "busy" });
    await page.locator(".message", { hasText: "could not be renewed: the viewer answered 503" }).getByRole("button").click();
    assert.ok(await control("reload").isEnabled());
    assert.equal(await bar.isVisible(), false);
  });

  test("saves, and says why it could not", async () => {
    await control("save").click();
    await page.waitForFunction(() => document.querySelector('[name="save"]').textContent === "Saved joint.json");
    await control("save").click();
    await page.waitForSelector(".message");
    assert.match(await page.locator(".message").textContent(), /the disk is full/);
    assert.deepEqual(page.complaints.filter((text) => !/status of 50[03]/.test(text)), []);
  });
});
