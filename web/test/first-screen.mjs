/* The twenty-second test: the first screen says what was found and shows it. Also a script that makes the reports and keeps
 * the pictures: first-screen.mjs OUT (SYNOVIA_PROGRAM, SYNOVIA_DATA). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openFile } from "./browser.mjs";

export const SCREENS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** In the browser: what is painted where, in pixels of the page from the top left of the stage. */
function look() {
  dispatchEvent(new Event("afterprint")); // drawn in full, now
  const stage = document.querySelector(".stage"),
    box = stage.getBoundingClientRect(),
    over = stage.querySelector(".overlay canvas"),
    scale = over.width / box.width,
    pen = over.getContext("2d");
  const painted = (x, y, width, height) =>
    pen.getImageData(scale * x, scale * y, scale * width, scale * height).data.filter((v, i) => i % 4 === 3 && v).length;
  const canvas = stage.querySelector("canvas"),
    gl = canvas.getContext("webgl2"),
    bytes = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  const signs = [],
    fine = canvas.width / box.width;
  for (let i = 0; i < bytes.length; i += 4) {
    const [r, g, b] = bytes.subarray(i, i + 3),
      red = r > 120 && g < 60 && b < 60, // the sign of a contact
      deep = r > 140 && g > 140 && b < 100; // the upper end of the colours
    if (red || deep) signs.push([(i / 4) % canvas.width, canvas.height - Math.floor(i / 4 / canvas.width)].map((x) => x / fine));
  }
  const middle = [0, 1].map((k) => signs.map((at) => at[k]).sort((a, b) => a - b)[signs.length >> 1]);
  return {
    top: box.top,
    bottom: box.bottom,
    side: painted(box.width - 45, 5, 40, 40),
    marker: painted(0, box.height - 95, 95, 95),
    caption: painted(5, 5, 150, 35),
    signs: signs.length,
    at: middle,
    width: box.width,
    page: document.documentElement.scrollWidth,
    verdict: [...document.querySelectorAll(".summary .verdict")].map((each) => each.getBoundingClientRect().bottom),
  };
}

/** Verdict, contact, side and orientation, all on the first screen. `shot` begins the names of the pictures; null: none are
 * kept. */
export async function checkFirstScreen(browser, file, screen, shot) {
  const page = await openFile(browser, file, { viewport: screen }),
    seen = await page.evaluate(look),
    where = `${shot ?? file} ${screen.width} x ${screen.height}: ${JSON.stringify(seen)}`;
  if (shot) await page.screenshot({ path: `${shot}-${screen.width}.png` });
  assert.ok(seen.verdict.length > 0 && Math.max(...seen.verdict) < screen.height, `the verdict: ${where}`);
  assert.ok(seen.page <= screen.width, `nothing is wider than the screen: ${where}`);
  assert.ok(seen.bottom <= screen.height + 1, `the stage: ${where}`);
  assert.ok(seen.side > 40 && seen.marker > 200 && seen.caption > 200, `side, marker and caption: ${where}`);
  assert.ok(seen.signs > 60, `a contact: ${where}`);
  assert.ok(seen.at[0] > 0.15 * seen.width && seen.at[0] < 0.85 * seen.width, `the contact is in the middle: ${where}`);
  // The test itself reads the canvas more often than the page would.
  assert.deepEqual(
    page.complaints.filter((text) => !/willReadFrequently/.test(text)),
    [],
  );
  await page.close();
}

/** Reports of the demo and of those people whose bones are at hand. */
function makeReports(program, data, out) {
  const bones = {
    z013: ["vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"],
    icl_mri: ["staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply"],
    bodyparts3d: ["bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply"],
  };
  const commands = [["demo", ["demo"]]];
  for (const [name, files] of Object.entries(bones)) {
    const paths = files.map((each) => join(data, each));
    if (paths.every(existsSync)) commands.push([name, ["hip", ...paths, "--title", name]]);
  }
  return commands.map(([name, words]) => {
    const folder = join(out, name);
    execFileSync(program, [...words, "--draws", "2", "-q", "-o", folder]);
    return { name, file: join(folder, "report.html") };
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const out = process.argv[2] ?? "first-screens",
    program = process.env.SYNOVIA_PROGRAM ?? fileURLToPath(new URL("../../build/release/synovia", import.meta.url)),
    data = process.env.SYNOVIA_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
  mkdirSync(out, { recursive: true });
  const browser = await launch();
  for (const { name, file } of makeReports(program, data, out))
    for (const screen of SCREENS) await checkFirstScreen(browser, file, screen, join(out, name));
  await browser.close();
}
