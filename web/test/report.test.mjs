/* The page of one report in a real browser, opened from a file with the network off: every control does what it says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { difference, drawn, faults, keep, launch, noAxe, noBrowser, open, painted, pixels, printed, SCREEN } from "./browser.mjs";
import { makeReport } from "./fixture.mjs";

const made = makeReport();
const { model, plain } = made;

describe("the page of a report", { skip: noBrowser }, () => {
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
  const slide = (name, value) => control(name).fill(String(value));
  const body = (name) => page.locator(`.body[data-body="${name}"]`);
  const reset = async () => {
    await control("reset").click();
    await control("motion").selectOption("1");
    await slide("step", 15);
  };
  /** Pixels before and after an act. */
  async function changes(act) {
    const from = await pixels(page);
    await act();
    return difference(from, await pixels(page));
  }

  test("shows the joint", async () => {
    await page.waitForSelector(".stage > canvas[data-rest]"); // in full by itself
    const image = await pixels(page),
      share = painted(image) / image.length;
    assert.ok(share > 0.1 && share < 0.9, `${share} of the canvas is painted`);
    assert.ok(new Set(image).size > 300, "shaded, not flat");
    assert.equal(await page.locator('figure[data-plot="view"]').count(), 0, "in the place of its pictures");
    await keep(page, "report-light.png", { fullPage: true });
  });

  test("begins at the first limit, where the contact is marked", async () => {
    assert.equal(await control("motion").inputValue(), "1");
    assert.equal(await control("step").inputValue(), "15");
    assert.ok((await changes(() => control("contacts").uncheck())) > 0.0001);
    await control("contacts").check();
  });

  test("says how far the surfaces shown are from those analysed", async () => {
    const [shown, analysed] = [(body) => body.mesh, (body) => body.analysed].map((of) =>
      model.bodies.reduce((sum, body) => sum + of(body).triangles, 0).toLocaleString("en"),
    );
    const told = await page.locator(".panel").textContent();
    for (const part of [shown, analysed, "0.020 mm"]) assert.ok(told.includes(part), `${part} in ${told}`);
  });

  test("hides, fades and isolates bodies", async () => {
    const femur = body("femur"),
      full = await pixels(page);
    await femur.getByRole("checkbox").uncheck();
    const hidden = await pixels(page);
    assert.ok(painted(hidden) < painted(full));
    await femur.getByRole("checkbox").check();
    assert.equal(difference(full, await pixels(page)), 0);
    assert.ok((await changes(() => femur.getByRole("button", { name: "see through" }).click())) > 0.02);
    await femur.getByRole("button", { name: "see through" }).click();
    await body("labrum").getByRole("button", { name: "Show only" }).click();
    assert.ok(painted(await pixels(page)) < 0.3 * painted(full));
    await body("labrum").getByRole("button", { name: "Show only" }).click();
    assert.equal(difference(full, await pixels(page)), 0);
  });

  test("colours by the chosen table and transfer function, and the legend follows", async () => {
    await body("femur").getByRole("button", { name: "Show only" }).click();
    const bar = () => page.locator(".legend canvas").evaluate((canvas) => canvas.toDataURL());
    const seen = new Set([await bar()]);
    const choose = async (name, value) => {
      assert.ok((await changes(() => control(name).selectOption(value))) > 0.001, value);
      assert.equal(await page.locator(".legend").getAttribute(`data-${name}`), value);
      seen.add(await bar());
    };
    for (const table of ["cividis", "ember", "ice", "grey", "blue-red", "purple-green", "categories", "viridis"])
      await choose("table", table);
    for (const shape of ["s-curve", "log", "threshold"]) await choose("transfer", shape);
    assert.equal(seen.size, 11);
    assert.ok(
      (await changes(async () => {
        await control("level").fill("3.5");
        await control("level").blur();
      })) > 0.001,
      "the threshold moves",
    );
    await control("transfer").selectOption("linear");
    assert.ok(
      (await changes(async () => {
        await control("high").fill("8");
        await control("high").blur();
      })) > 0.001,
      "the range moves",
    );
    assert.match(await page.locator(".legend .ticks").textContent(), /8\.0$/);
    await control("high").fill("");
    await control("high").blur();
    await body("femur").getByRole("button", { name: "Show only" }).click();
  });

  test("bends its colours as the function is dragged, or moved by keys, and keeps that for the field", async () => {
    await body("femur").getByRole("button", { name: "Show only" }).click();
    const editor = page.locator(".curve-editor"),
      points = editor.locator(".curve-point"),
      said = (index) => points.nth(index).getAttribute("aria-valuetext");
    const drag = async ([ax, ay], [bx, by]) => {
      const { x, y, width, height } = await editor.boundingBox(),
        at = (u, v) => [x + (width * (8 + 224 * u)) / 240, y + (height * (76 - 68 * v)) / 84];
      await page.mouse.move(...at(ax, ay));
      await page.mouse.down();
      await page.mouse.move(...at(bx, by), { steps: 3 });
      await page.mouse.up();
    };
    await editor.scrollIntoViewIfNeeded();
    assert.equal(await points.count(), 3);
    assert.ok((await changes(() => drag([0.5, 0.5], [0.3, 0.9]))) > 0.001, "the middle point is dragged");
    assert.equal(await control("transfer").inputValue(), "drawn");
    const ends = await Promise.all(["low", "high"].map((name) => control(name).getAttribute("placeholder"))),
      valueAt = (share) => Number(ends[0]) + share * (ends[1] - ends[0]);
    const [, value, color] = /^([\d.]+) mm: (\d+) % of the colours$/.exec(await said(1)).map(Number);
    assert.ok(Math.abs(value - valueAt(0.3)) < 0.05 && Math.abs(color - 90) < 2, await said(1));
    await drag([0.6, 0.2], [0.6, 0.3]);
    assert.equal(await points.count(), 4, "where there is none, one is made");
    assert.match(await said(2), /: (29|30|31) % of the colours$/);
    await points.nth(2).focus();
    assert.ok((await changes(() => page.keyboard.press("Shift+ArrowUp"))) > 0.001, "keys move it");
    assert.match(await said(2), /: (39|40|41) % of the colours$/);
    const before = await said(2);
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await said(2), before);
    await page.keyboard.press("Enter");
    assert.equal(await points.count(), 5);
    await page.keyboard.press("Delete");
    await page.keyboard.press("Delete");
    assert.equal(await points.count(), 3);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Point 2 of 3");
    await keep(page.locator(".panel"), "colours.png");
    await control("field").selectOption("pressure");
    assert.equal(await control("transfer").inputValue(), "linear", "another field has its own");
    await control("table").selectOption("ember");
    await control("field").selectOption("depth");
    assert.deepEqual(
      [await control("transfer").inputValue(), await control("table").inputValue()],
      ["drawn", "viridis"],
    );
    await control("transfer").selectOption("threshold");
    await drag([0.5, 0.5], [0.75, 0.2]);
    const level = async () => Number(await control("level").inputValue()),
      dragged = await level();
    assert.ok(Math.abs(dragged - valueAt(0.75)) < 0.05, `${dragged}: the threshold is dragged`);
    await points.first().press("ArrowLeft");
    assert.ok(Math.abs((await level()) - dragged + valueAt(0.02) - valueAt(0)) < 0.01, "keys move it");
    await page.locator(".all-tables summary").click();
    await page.getByRole("button", { name: "Ice, logarithmic" }).click();
    assert.deepEqual([await control("transfer").inputValue(), await control("table").inputValue()], ["log", "ice"]);
    await page.getByRole("button", { name: "Viridis, linear" }).click();
    await page.locator(".all-tables summary").click();
    await body("femur").getByRole("button", { name: "Show only" }).click();
  });

  test("switches between fields", async () => {
    await control("field").selectOption("pressure");
    assert.match(await page.locator(".legend").textContent(), /Pressure \(MPa\)/);
    const { low, step } = model.bodies[3].fields[0];
    const largest = Math.max(...plain.acetabular_cartilage.fields["pressure/null"].filter((x) => !Number.isNaN(x)));
    assert.ok(Math.abs(low + 65534 * step - largest) < step);
    // The field is unpacked when it is first asked for.
    await page.locator(".legend", { hasText: `Largest now ${largest.toFixed(2)} MPa` }).waitFor();
    await control("field").selectOption("");
    assert.equal(await page.locator(".legend").isVisible(), false);
    await control("field").selectOption("depth");
  });

  test("reads the model's own value under the pointer", async () => {
    await control("cup").click();
    await control("field").selectOption("pressure");
    await body("acetabular_cartilage").getByRole("button", { name: "Show only" }).click();
    const box = await page.locator(".stage").boundingBox(),
      reading = page.locator(".reading"),
      {
        mesh,
        fields: [field],
      } = model.bodies[3];
    const found = { known: 0, none: 0, nowhere: 0 };
    for (let k = 0; k < 49; ++k) {
      await page.mouse.move(
        box.x + box.width * (0.3 + (0.4 * (k % 7)) / 6),
        box.y + box.height * (0.1 + (0.8 * Math.floor(k / 7)) / 6),
      );
      const read = await reading.evaluate(async (element) => {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return element.hidden ? null : { ...element.dataset, text: element.textContent };
      });
      if (!read) {
        ++found.nowhere;
        continue;
      }
      assert.equal(read.body, "acetabular_cartilage");
      assert.ok(Number(read.vertex) < mesh.vertices);
      const expected = plain.acetabular_cartilage.fields["pressure/null"][Number(read.vertex)];
      if (Number.isNaN(expected)) assert.match(read.text, /pressure none$/);
      else {
        assert.ok(Math.abs(Number(read.value) - expected) <= 0.51 * field.step + 1e-6, `${read.value} is ${expected}`);
        assert.ok(read.text.endsWith(`${Number(read.value).toFixed(2)} MPa`), read.text);
      }
      ++found[Number.isNaN(expected) ? "none" : "known"];
    }
    for (const [kind, count] of Object.entries(found)) assert.ok(count > 0, `${kind}: ${count}`);
    await reset();
    await control("field").selectOption("depth");
  });

  test("moves the femur with the slider and shows where it is", async () => {
    assert.ok((await changes(() => slide("step", 0))) > 0.02);
    assert.equal(await page.locator(".timeline output").textContent(), "Internal rotation 0\u00b0");
    assert.ok((await changes(() => control("motion").selectOption("2"))) > 0.02);
    await slide("step", 9);
    assert.equal(await page.locator(".timeline output").textContent(), "Adduction \u221245\u00b0");
  });

  test("links the curves with the slider, both ways", async () => {
    await control("motion").selectOption("0");
    await slide("step", 22);
    const curve = page.locator(".curve").first();
    assert.equal(await curve.getAttribute("data-step"), "22");
    assert.match(
      await curve.locator(".u-legend").textContent(),
      new RegExp(`${model.motions[0].curves[0].values[22].toFixed(1)} mm`),
    );
    await curve.scrollIntoViewIfNeeded();
    const over = await curve.locator(".u-over").boundingBox();
    await page.mouse.click(over.x + over.width / 2, over.y + 20);
    assert.equal(await control("step").inputValue(), "11");
    assert.equal(await page.locator(".timeline output").textContent(), "55\u00b0");
  });

  test("plays and pauses", async () => {
    await slide("step", 0);
    await control("speed").selectOption("4");
    await control("play").click();
    await page.waitForFunction(() => Number(document.querySelector('[name="step"]').value) > 3);
    await control("play").click();
    const stopped = await control("step").inputValue();
    await page.waitForTimeout(300);
    assert.equal(await control("step").inputValue(), stopped);
  });

  test("cuts with a plane", async () => {
    await reset();
    const full = painted(await pixels(page));
    for (const axis of ["right", "forward", "up"]) {
      await control("clip").selectOption(axis);
      await slide("clip-at", -70);
      const little = painted(await pixels(page));
      await slide("clip-at", 0);
      const half = painted(await pixels(page));
      assert.ok(little < half && half <= full, `${axis}: ${little}, ${half}, ${full}`);
    }
    await keep(page.locator(".stage"), "clipped.png");
    // What is cut is filled, in a darker shade of its body.
    const cap = model.bodies.find(({ name }) => name === "femur").color.map((c) => 0.82 * c),
      filled = (image) =>
        image.filter((pixel) => cap.every((c, k) => Math.abs(((pixel >>> (8 * k)) & 255) - c) <= 1.5)).length;
    await control("anterior").click();
    await control("clip").selectOption("forward");
    const solid = filled(await pixels(page));
    assert.ok(solid > 300, `${solid} pixels of the cut femur`);
    await body("femur").getByRole("checkbox").uncheck();
    assert.equal(filled(await pixels(page)), 0);
    await body("femur").getByRole("checkbox").check();
    await control("clip").selectOption("off");
    await reset();
    assert.equal(painted(await pixels(page)), full);
  });

  /** Pixels over the scene that are of the red of signs. */
  const redSigns = () =>
    page.locator(".overlay canvas").evaluate((canvas) => {
      const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }),
        pen = copy.getContext("2d", { willReadFrequently: true });
      pen.drawImage(canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, copy.width, copy.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += data[i] > 180 && data[i + 1] < 60 && data[i + 2] < 50 && data[i + 3] > 200;
      return count;
    });

  test("shows alpha as it is measured, from its row and from an address", async () => {
    assert.equal(await redSigns(), 0);
    await page.locator('.range[data-range="alpha_deg"] .goto').click();
    assert.equal(await control("clip").inputValue(), "neck");
    await drawn(page);
    assert.ok((await redSigns()) > 40, "where the contour leaves the circle");
    await keep(page.locator(".stage"), "alpha-plane.png");
    await page.waitForFunction(() => /cut=neck/.test(location.hash) && /look=/.test(location.hash));
    await control("clip").selectOption("off");
    await drawn(page);
    assert.equal(await redSigns(), 0);
    await page.evaluate(() => void (location.hash = "#show=flexion"));
    await page.waitForFunction(() => document.querySelector('[name="motion"]').value === "0");
    await reset();
  });

  test("fits all bodies, no more and no less", async () => {
    await control("lateral").click();
    await control("fit").click();
    const { extent, width, height } = await page.evaluate(() => {
      dispatchEvent(new Event("afterprint"));
      const canvas = document.querySelector(".stage > canvas"),
        gl = canvas.getContext("webgl2"),
        bytes = new Uint8Array(4 * canvas.width * canvas.height),
        extent = [Infinity, -Infinity, Infinity, -Infinity];
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
      for (let i = 3; i < bytes.length; i += 4) {
        if (!bytes[i]) continue;
        const at = (i - 3) / 4,
          [x, y] = [at % canvas.width, Math.floor(at / canvas.width)];
        extent.splice(0, 4, Math.min(extent[0], x), Math.max(extent[1], x), Math.min(extent[2], y), Math.max(extent[3], y));
      }
      return { extent, width: canvas.width, height: canvas.height };
    });
    assert.ok(extent[0] > 1 && extent[1] < width - 2 && extent[2] > 1 && extent[3] < height - 2, `${extent} in ${width} x ${height}`);
    const share = Math.max((extent[1] - extent[0]) / width, (extent[3] - extent[2]) / height);
    assert.ok(share > 0.85, `${share} of the stage`);
    await reset();
  });

  test("looks from every side, and into the cup without the femur", async () => {
    const images = [];
    for (const look of ["anterior", "lateral", "medial", "posterior", "cup"]) {
      await control(look).click();
      images.push(await pixels(page));
      await keep(page.locator(".stage"), `view-${look}.png`);
    }
    for (let i = 0; i < 5; ++i)
      for (let j = 0; j < i; ++j) assert.ok(difference(images[i], images[j]) > 0.02, `${i} and ${j}`);
    await control("cup").click(); // twice is as once
    assert.equal(await body("femur").getByRole("checkbox").isChecked(), false);
    await control("anterior").click();
    assert.equal(await body("femur").getByRole("checkbox").isChecked(), true);
    assert.equal(difference(images[0], await pixels(page)), 0);
  });

  test("keeps the size between perspective and orthographic", async () => {
    const a = await pixels(page);
    await control("orthographic").click();
    const b = await pixels(page);
    assert.ok(difference(a, b) > 0.005);
    assert.ok(Math.abs(painted(a) / painted(b) - 1) < 0.2);
    await control("orthographic").click();
    assert.equal(difference(a, await pixels(page)), 0);
  });

  test("turns and zooms by mouse", async () => {
    const box = await page.locator(".stage").boundingBox();
    assert.ok(
      (await changes(async () => {
        await page.mouse.move(box.x + 300, box.y + 300);
        await page.mouse.down();
        await page.mouse.move(box.x + 380, box.y + 320, { steps: 4 });
        await page.mouse.up();
      })) > 0.02,
    );
    const far = painted(await pixels(page));
    await page.mouse.wheel(0, -600);
    assert.ok(painted(await pixels(page)) > far);
    await reset();
  });

  test("labels the landmarks", async () => {
    assert.ok((await changes(() => control("landmarks").check())) > 0.001);
    await keep(page.locator(".stage"), "landmarks.png");
    await control("landmarks").uncheck();
  });

  test("gives a screenshot", async () => {
    const [file] = await Promise.all([page.waitForEvent("download"), control("screenshot").click()]);
    assert.equal(file.suggestedFilename(), "hip-with-a-cam-right.png");
    const bytes = readFileSync(await file.path());
    assert.equal(bytes.toString("latin1", 1, 4), "PNG");
    assert.ok(bytes.length > 10_000);
  });

  test("reads the envelope and goes to its poses", async () => {
    const figure = page.locator('figure[data-plot="envelope"]'),
      cell = figure.locator('.heat-map .cell[data-i="24"][data-j="12"]');
    await cell.hover();
    assert.match(
      await figure.locator(".readout").textContent(),
      new RegExp(`Flexion 90\u00b0, adduction 0\u00b0: ${model.envelope.internal[24][12].toFixed(0)}\u00b0`),
    );
    await control("motion").selectOption("1");
    await slide("step", 0); // 90 degrees of flexion, no rotation: the same pose
    await control("field").selectOption("");
    await control("contacts").uncheck();
    const there = await pixels(page);
    await slide("step", 15);
    assert.ok(difference(there, await pixels(page)) > 0.02);
    await cell.click();
    assert.equal(await page.locator(".timeline output").textContent(), "Flexion 90\u00b0, add. 0\u00b0");
    assert.ok(difference(there, await pixels(page)) < 0.002);
    const internal = await cell.getAttribute("fill");
    await figure.getByLabel("External rotation").check();
    assert.notEqual(await cell.getAttribute("fill"), internal);
    const surface = figure.locator("canvas.surface"),
      look = () => surface.evaluate((canvas) => canvas.toDataURL());
    const was = await look();
    await surface.focus();
    await page.keyboard.press("ArrowLeft");
    assert.notEqual(await look(), was);
    assert.ok((await figure.locator(".contour path").count()) >= 8, "0, 10, 20 and 30 degrees");
    await figure.locator('.places [data-place="sitting"] button').click();
    assert.equal(await page.locator(".timeline output").textContent(), "Flexion 90\u00b0, add. 0\u00b0");
    assert.match(
      await figure.locator('.places [data-place="sitting"]').textContent(),
      new RegExp(`Sitting ${model.envelope.internal[24][12].toFixed(0)}\u00b0 inward`),
    );
    await control("field").selectOption("depth");
    await control("contacts").check();
  });

  test("marks what lies outside its range by shape, and the contact on the clock", async () => {
    const outside = model.ranges
      .filter((r) => r.value !== null && (r.value < r.low || r.value > r.high))
      .map((r) => r.name);
    assert.deepEqual(
      await page
        .locator('figure[data-plot="ranges"] .outside')
        .evaluateAll((all) => all.map((each) => each.dataset.range).sort()),
      outside.sort(),
    );
    assert.equal(await page.locator('figure[data-plot="clock"] .clock-mark').count(), model.clock.length);
    // A bar is what is missing; numbers do not lie on each other.
    assert.equal(await page.locator('figure[data-plot="clock"] path.missing').count(), 1);
    assert.match(await page.locator(".clock-key li").first().textContent(), /Internal rotation at 1:30: 25\u00b0, 5\u00b0 short/);
    const discs = await page.locator(".clock-mark circle").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    for (const [i, a] of discs.entries())
      for (const b of discs.slice(0, i)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 0.9 * a.width);
    assert.equal(await page.locator('.range[data-range="internal_rotation"] .whisker').count(), 1);
    assert.equal(await page.locator('.range[data-range="internal_rotation"] a').getAttribute("href"), "https://example.org/ranges");
    await control("motion").selectOption("1");
    assert.equal(await page.locator('figure[data-plot="clock"] .hand path').count(), 1);
    await control("motion").selectOption("2");
    assert.equal(await page.locator('figure[data-plot="clock"] .hand path').count(), 0);
  });

  test("sorts tables, unknown cells last", async () => {
    const table = page.locator('table[data-table="motions"]'),
      cells = () => table.locator("tbody tr td:nth-child(2)").allTextContents();
    const sort = table.getByRole("button", { name: "Limit (deg)" });
    await sort.click();
    assert.deepEqual(await cells(), ["25", "48.25", "102", ""]);
    await sort.press("Enter");
    assert.deepEqual(await cells(), ["102", "48.25", "25", ""]);
    assert.equal(await table.locator("th:nth-child(2)").getAttribute("aria-sort"), "descending");
  });

  test("gives tables as CSV and the model as JSON", async () => {
    const [csv] = await Promise.all([page.waitForEvent("download"), page.locator('[name="csv"]').click()]);
    const text = readFileSync(await csv.path(), "utf8");
    assert.equal(
      text,
      'Motion,Limit (deg),Limited by\r\nFlexion,102,"labrum, ""anterior"""\r\n"Internal rotation, flexed",25,labrum\r\nAbduction,48.25,pelvis\r\nExtension,,free\r\n',
    );
    const [json] = await Promise.all([page.waitForEvent("download"), page.locator('[name="json"]').click()]);
    assert.deepEqual(JSON.parse(readFileSync(await json.path(), "utf8")), JSON.parse(JSON.stringify(model)));
  });

  test("copies tables for spreadsheets", async () => {
    await page.evaluate(() => {
      window.copied = null;
      document.addEventListener("copy", () => (window.copied = document.activeElement.value));
      Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error()) } });
    });
    await page.locator('[name="copy"]').click();
    assert.match(await page.evaluate(() => window.copied), /^Motion\tLimit \(deg\)\tLimited by\nFlexion\t102\t/);
  });

  test("names the licences of its parts", async () => {
    await page.locator(".licences summary").click();
    for (const part of ["three ", "three-mesh-bvh ", "uplot "])
      assert.ok((await page.locator(".licences pre").textContent()).includes(part));
  });

  test("goes dark and light", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.locator('[name="theme"]').click();
    assert.notEqual(await ground(), light);
    await keep(page, "report-dark.png", { fullPage: true });
    await page.locator('[name="theme"]').click();
    assert.equal(await ground(), light);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await page.locator("html").getAttribute("data-theme"), "light", "the reader's choice wins");
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("prints to a sensible PDF", async () => {
    const pdf = await printed(page, "report.pdf", { printBackground: true });
    const count = (pdf.toString("latin1").match(/\/Type \/Page\b(?!s)/g) ?? []).length;
    assert.ok(count >= 1 && count <= 5, `${count} pages`);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".toolbar").isVisible(), false);
    assert.equal(await page.locator('figure[data-plot="clock"] > svg').isVisible(), true);
    assert.equal(await page.locator('figure[data-plot="clock"] > .live').isVisible(), false);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.locator(".stage > canvas").isVisible(), false);
    const picture = page.locator(".stage > .picture > canvas");
    assert.equal(await picture.isVisible(), true);
    assert.ok(
      (await picture.evaluate((each) => {
        const { data } = each.getContext("2d").getImageData(0, 0, each.width, each.height);
        return data.filter((x, i) => i % 4 === 3 && x > 0).length / (data.length / 4);
      })) > 0.1,
    );
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await picture.count(), 0);
    await page.emulateMedia({ media: "screen" });
  });

  test("fits a narrow screen", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await drawn(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    await keep(page, "report-narrow.png", { fullPage: true });
    await page.setViewportSize(SCREEN);
  });

  test("can be used by keyboard alone", async () => {
    await reset();
    await page.evaluate(() => document.activeElement.blur());
    const missing = new Set(
      "theme anterior cup screenshot motion play step transfer clip contacts csv copy".split(" "),
    );
    for (let i = 0; i < 90 && missing.size; ++i) {
      await page.keyboard.press("Tab");
      missing.delete(await page.evaluate(() => document.activeElement.getAttribute("name")));
    }
    assert.deepEqual([...missing], [], "all are reached");
    await page.locator("h1").click();
    const from = await pixels(page);
    await page.keyboard.press("2");
    const lateral = await pixels(page);
    assert.ok(difference(from, lateral) > 0.02);
    await page.locator(".stage > canvas").focus();
    assert.ok((await changes(() => page.keyboard.press("ArrowLeft"))) > 0.01);
    await control("step").focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await control("step").inputValue(), "14");
    await page.keyboard.press(".");
    assert.equal(await control("step").inputValue(), "15");
    await page.keyboard.press("?");
    assert.equal(await page.locator("dialog").isVisible(), true);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog").isVisible(), false);
  });

  test("every control has a name", async () => {
    const nameless = await page
      .locator("button, input, select, canvas[tabindex], svg[tabindex]")
      .evaluateAll((all) =>
        all
          .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.labels?.length))
          .map((each) => each.outerHTML.slice(0, 80)),
      );
    assert.deepEqual(nameless, []);
  });

  test("has no fault that axe-core knows", { skip: noAxe }, async () => {
    assert.deepEqual(await faults(page), []);
  });

  test("draws nothing while nothing changes", async () => {
    await page.waitForSelector(".stage > canvas[data-rest]");
    const calls = await page.evaluate(async () => {
      let count = 0;
      const gl = document.querySelector(".stage > canvas").getContext("webgl2"),
        draw = gl.drawElements;
      gl.drawElements = (...all) => (++count, draw.apply(gl, all));
      await new Promise((done) => setTimeout(done, 600));
      return count;
    });
    assert.equal(calls, 0);
  });
});

describe("a page in trouble", { skip: noBrowser }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser.close());

  test("says so when a blob is broken, where it is seen, shows the rest and moves nothing for it", async () => {
    const place = (page) => page.locator("#scene").evaluate((scene) => scene.getBoundingClientRect().toJSON());
    const sound = await open(browser, made),
      page = await open(browser, made, { edit: (html) => html.replace(/(id="blob-0">).{200}/, "$1") });
    assert.match(await page.locator(".message").textContent(), /Pelvis cannot be shown: blob blob-0/);
    assert.ok(painted(await pixels(page)) > 1000);
    assert.deepEqual(await place(page), await place(sound));
    for (const where of [0, 1e6]) {
      await page.evaluate((y) => scrollTo(0, y), where);
      const box = await page.locator(".message").boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= SCREEN.height, `${box.y} is on the screen`);
    }
    await page.getByRole("button", { name: "Close this message" }).click();
    assert.equal(await page.locator(".message").count(), 0);
    await sound.close();
    await page.close();
  });

  test("shows a body the same when it comes inside out, and where bodies move each on its own", async () => {
    const stay = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const image = async ({ each, insideOut }) => {
      const report = makeReport({ quads: 24, insideOut });
      for (const motion of report.model.motions) {
        const all = motion.poses;
        motion.contact = null; // its sign goes with those that move together
        if (!each) continue;
        motion.poses = all.map(() => stay);
        motion.bodies = report.model.bodies.map((body) => (body.moves ? all : motion.poses));
      }
      const page = await open(browser, report),
        seen = await pixels(page);
      await page.close();
      return seen;
    };
    const plain = await image({ each: false, insideOut: false });
    assert.ok(painted(plain) > 1000);
    assert.ok(difference(plain, await image({ each: false, insideOut: true })) < 0.001, "inside out");
    assert.ok(difference(plain, await image({ each: true, insideOut: false })) < 0.001, "each on its own");
  });

  test("opens on the side of a ligament that alone is coloured", async () => {
    /** How far behind the joint the eye is, in mm. */
    const behind = async (tissue) => {
      const report = makeReport({ quads: 24 });
      report.model.bodies.find(({ name }) => name === "femur").tissue = tissue; // at rest it lies a little behind
      for (const motion of report.model.motions) motion.poses = motion.poses.map(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
      const page = await open(browser, report);
      await page.keyboard.press(","); // the address keeps what a reader changes
      await page.waitForFunction(() => /look=/.test(location.hash));
      const look = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("look").split(" ").map(Number));
      await page.close();
      return look[2] - look[5];
    };
    assert.ok((await behind("bone")) < -20, "from the front");
    assert.ok((await behind("ligament")) > 10, "from behind");
  });

  test("keeps its static parts without WebGL", async () => {
    const blind = await launch("--disable-3d-apis");
    const page = await open(blind, made, { ready: false });
    await page.waitForSelector(".message");
    assert.match(await page.locator(".message").textContent(), /no WebGL/);
    assert.equal(await page.locator('figure[data-plot="view"] > svg').isVisible(), true);
    await page.locator('table[data-table="motions"]').getByRole("button", { name: "Limit (deg)" }).click();
    await blind.close();
  });

  test("shows its pictures a little later where no script comes though it could", async () => {
    const page = await open(browser, made, { ready: false, edit: (html) => html.replace(/<script>.*<\/script>/s, "") }),
      seen = await page.locator('figure[data-plot="view"]').evaluate((figure) => {
        const isSeen = () => figure.firstElementChild.checkVisibility();
        figure.style.animationName = "none";
        const [never, , [wait]] = [isSeen(), (figure.style.animationName = ""), figure.getAnimations()]; // it begins again
        return [never, isSeen(), (wait.finish(), isSeen())];
      });
    assert.deepEqual(seen, [true, false, true]);
    await page.close();
  });

  test("works as text without scripts", async () => {
    const page = await open(browser, made, { ready: false, javaScriptEnabled: false });
    assert.match(await page.locator("h1").textContent(), /Hip with a cam/);
    assert.equal(await page.locator("figure > svg:visible").count(), 5);
    await page.close();
  });
});
