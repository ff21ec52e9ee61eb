/* The pictures of the documentation, from reports on the parametric hip and, where SYNOVIA_DATA has them, on bones of an atlas. usage:
 * npm run screenshots (SYNOVIA_PROGRAM), or screenshots.mjs DIR NAME…: these alone */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { drawn, launch, noBrowser, openFile, pixels } from "./browser.mjs";
import { atlasHip, centerStudy, comparison, demo, noProgram, resection, titledHip } from "./program.mjs";

const [out, ...names] = process.argv.slice(2),
  isWanted = (...those) => names.length === 0 || those.some((name) => names.includes(name));
if (!out || noBrowser || noProgram) throw new Error(noBrowser || noProgram || "usage: screenshots.mjs DIR");
mkdirSync(out, { recursive: true });

const browser = await launch();

/** `act` is done on the page first. */
async function picture(name, file, { scene = true, theme = "light", width = 1440, height = 900, selector = null, compare = false, act = null } = {}) {
  if (!isWanted(name)) return;
  const page = await openFile(browser, file, { viewport: { width, height }, colorScheme: theme, ready: scene });
  await act?.(page);
  if (!scene) await page.waitForSelector("body[data-ready]");
  else if (!compare) await pixels(page);
  else await page.waitForTimeout(1000);
  await drawn(page);
  const path = join(out, `${name}.png`);
  if (selector && !compare) await page.locator(selector).screenshot({ path });
  else {
    if (selector) await page.locator(selector).evaluate((element) => element.scrollIntoView());
    await drawn(page);
    await page.screenshot({ path });
  }
  console.log(`${path}: ${Math.round(statSync(path).size / 1000)} kB`);
  await page.close();
}

const atlas = isWanted("bones", "ranges", "alpha") && (await atlasHip());
if (atlas) {
  await picture("bones", atlas.file, { width: 1280, height: 800 });
  // so high that the scene is in sight and floats over nothing
  await picture("ranges", atlas.file, { width: 1280, height: 2600, selector: 'figure[data-plot="ranges"]' });
  await picture("alpha", atlas.file, {
    width: 1280,
    height: 800,
    selector: ".stage",
    act: (page) => page.locator('[name="clip"]').selectOption("neck"),
  });
}
if (isWanted("report", "envelope", "colours")) {
  const cam = await demo();
  await picture("report", cam.file, { width: 1280, height: 800 });
  await picture("envelope", cam.file, { height: 2600, selector: 'figure[data-plot="envelope"]' });
  await picture("colours", cam.file, {
    selector: "#scene fieldset:has(.curve-editor)",
    act: async (page) => {
      await page.locator('[name="transfer"]').selectOption("s-curve");
      await page.locator(".all-tables summary").click();
    },
  });
}
if (isWanted("compare", "sheet")) {
  const file = await comparison(await titledHip(40), await titledHip(70));
  await picture("compare", file, { compare: true, selector: "#scene", height: 700 });
  await picture("sheet", file, {
    compare: true,
    selector: "#scene",
    height: 1340,
    act: async (page) => {
      await page.locator('.body[data-body="pelvis"] input').uncheck();
      for (const body of ["femur", "femoral_cartilage"])
        await page.locator(`.body[data-body="${body}"]`).getByRole("button", { name: "see through" }).click();
      await page.locator('[name="motion"]').selectOption("0");
      await page.locator('[name="step"]').fill("30");
      await page.locator('[name="rows"]').selectOption("levels");
      await page.locator('[name="add-computed"]').click();
      await page.locator('[name="computed-left"]').selectOption("B1");
      await page.locator('[name="computed-right"]').selectOption("B2");
    },
  });
}
if (isWanted("resection", "resection-curve")) {
  const plan = await resection();
  await picture("resection", plan.file, { selector: ".stage", height: 950 });
  await picture("resection-curve", plan.file, {
    height: 2600,
    selector: 'figure[data-plot="curves"]',
    act: (page) => page.locator('[name="motion"]').selectOption({ label: "Gain by depth" }),
  });
}
const centers = isWanted("sensitivity") && (await centerStudy());
// by motion, of all hips together
if (centers) await picture("sensitivity", centers, { scene: false, selector: 'figure[data-plot="maps"]' });
await browser.close();
