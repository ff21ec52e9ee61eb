/* The pictures of the documentation, from reports on the parametric hip and, where SYNOVIA_DATA has them, on bones of an atlas. usage:
 * npm run screenshots (SYNOVIA_PROGRAM) */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { drawn, launch, noBrowser, openFile, pixels } from "./browser.mjs";
import { atlasHip, comparison, demo, noProgram, parametricHip } from "./program.mjs";

const out = process.argv[2];
if (!out || noBrowser || noProgram) throw new Error(noBrowser || noProgram || "usage: screenshots.mjs DIR");
mkdirSync(out, { recursive: true });

const browser = await launch();

/** `act` is done on the page first. */
async function picture(name, file, { theme = "light", width = 1440, height = 900, selector = null, compare = false, act = null } = {}) {
  const page = await openFile(browser, file, { viewport: { width, height }, colorScheme: theme });
  await act?.(page);
  if (!compare) await pixels(page);
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

const atlas = await atlasHip();
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
const file = await comparison(await parametricHip(40), await parametricHip(70));
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
await browser.close();
