/* How fast it is, printed and not judged: the machine may be busy. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { launch, noBrowser, open, painted, pixels } from "./browser.mjs";
import { makeReport } from "./fixture.mjs";

/* 300 000 triangles take a software renderer long: only where SYNOVIA_LARGE asks for it. */
const sizes = process.env.SYNOVIA_LARGE ? [76, 170] : [76];

describe("large reports", { skip: noBrowser }, () => {
  for (const quads of sizes) {
    const made = makeReport({ quads }),
      triangles = made.model.bodies.reduce((sum, body) => sum + body.mesh.triangles, 0);
    test(`${triangles} triangles are shown and turn`, async (context) => {
      const browser = await launch(),
        page = await open(browser, made);
      const first = await page.evaluate(() => performance.getEntriesByName("synovia-first-frame")[0].startTime);
      const frame = await page.evaluate(async () => {
        const canvas = document.querySelector(".stage > canvas"),
          gl = canvas.getContext("webgl2"),
          pixel = new Uint8Array(4),
          count = 15;
        const turn = async () => {
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
          await new Promise(requestAnimationFrame);
          gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits until it is drawn
        };
        for (let i = 0; i < 5; ++i) await turn();
        const from = performance.now();
        for (let i = 0; i < count; ++i) await turn();
        return (performance.now() - from) / count;
      });
      const message = `${triangles} triangles: first frame after ${Math.round(first)} ms, ${frame.toFixed(0)} ms per frame (${(1000 / frame).toFixed(1)} per second)`;
      context.diagnostic(message);
      assert.ok(painted(await pixels(page)) > 1000);
      assert.deepEqual(page.complaints, []);
      await browser.close();
    });
  }
});
