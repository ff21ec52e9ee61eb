/* The page of several reports: the sheet of views, numbers and differences, curves over each other. */
import { foldSummaries } from "../page/verdict";
import { numberCells, numberTables, overlaid } from "./compare-numbers";
import { Curves } from "../figures/curves";
import { choice, h, showMessage } from "../page/dom";
import { readable } from "../page/numbers";
import { envelopeRange, type Way } from "../figures/envelope-range";
import { heatMap } from "../figures/envelope";
import { colorsLabrum, fieldGroups, firstField } from "../colors/fields";
import type { Comparison, Report } from "../model";
import { makePageTools } from "../page/tools";
import { enliven } from "../figures/plots";
import { readAddress, type SheetState } from "./address";
import { addDifferences, DIFFERENCE } from "./difference";
import { Sheet } from "./sheet";
import { stepKeys } from "../single";
import { firstChoices, Store, type Choices } from "../store";
import { makeTables } from "../page/tables";
import { onThemeChange } from "../page/theme";

/** The envelopes beside each other, with one scale; pointing reads all of them. */
function envelopes(items: readonly Report[]): HTMLElement | null {
  const having = items.filter((item) => item.envelope);
  if (!having.length) return null;
  const readout = h("p", { class: "readout", role: "status" }),
    places = h("div", { class: "maps" });
  const draw = (way: Way): void => {
    const range = envelopeRange(
      having.map((item) => item.envelope!),
      way,
    );
    places.replaceChildren(
      ...having.map((item) =>
        h(
          "div",
          {},
          h("h3", {}, item.title),
          heatMap(
            item.envelope!,
            way,
            range,
            `${item.title}: free ${way} rotation`,
            (i, j) => {
              const { flexion, adduction } = item.envelope!;
              readout.textContent = `Flexion ${readable(flexion[i]!, "deg")}, adduction ${readable(adduction[j]!, "deg")}: ${having.map((each) => `${each.title} ${readable(each.envelope![way][i]?.[j] ?? null, "deg")}`).join("; ")}`;
            },
            () => {},
          ),
        ),
      ),
    );
  };
  const way = choice(
    "Rotation",
    [
      { value: "internal", label: "Internal" },
      { value: "external", label: "External" },
    ],
    "internal",
    (value) => draw(value as Way),
  );
  draw("internal");
  return h("div", { class: "live" }, h("div", { class: "row" }, way.label, way.select), places, readout);
}

/* * "A: Hip, right" and "B: Hip, left", as the text above calls them, if the titles alone do not distinguish the reports. */
function distinguish(items: Report[]): void {
  if (new Set(items.map((item) => item.frame.side)).size > 1)
    for (const item of items) item.title += `, ${item.frame.side}`;
  if (new Set(items.map((item) => item.title)).size < items.length)
    items.forEach((item, i) => (item.title = `${String.fromCharCode(65 + (i % 26))}: ${item.title}`));
}

/** As the address has it, as far as these reports can show that. */
function startingChoices(items: readonly Report[], { motion, step, field, colors }: SheetState): Choices {
  const motions = items[0]?.motions ?? [],
    groups = fieldGroups(items),
    first = firstField(groups.filter(({ name }) => name !== DIFFERENCE)),
    bones = items[0]?.bodies.filter((body) => body.tissue === "bone") ?? [],
    hiding = bones.filter((body) => !body.moves || colorsLabrum(items[0]!.bodies, first)).map((body) => body.name),
    choices = firstChoices(motions, first, hiding);
  const poses = motions[motion ?? choices.motion]?.poses.length;
  if (motion !== undefined && poses) Object.assign(choices, { motion, step: 0 });
  if (step !== undefined && poses && step >= 0 && step < poses) choices.step = step;
  if (field === "" || groups.some((group) => group.name === field)) choices.field = field!;
  return { ...choices, colors: colors ?? {} };
}

export async function showComparison(model: Comparison): Promise<void> {
  distinguish(model.items);
  foldSummaries();
  addDifferences(model.items);
  const place = document.getElementById("scene"),
    { items } = model,
    motions = items[0]?.motions ?? [];
  document.getElementById("report")?.classList.add("wide");
  const state = readAddress(location.hash),
    store = new Store(startingChoices(items, state));
  let sheet: Sheet | null = null;
  try {
    if (place && items.length) sheet = new Sheet(items, store, place, state);
  } catch {
    place?.replaceChildren();
    showMessage(
      "This browser has no WebGL, so the joints cannot be shown in three dimensions. The numbers are complete.",
    );
  }
  makeTables(numberTables(items), model.title, numberCells(items));
  makePageTools(
    model.title,
    model,
    stepKeys(store, () => motions[store.now.motion]?.poses.length ?? 0),
  );
  const sets = motions.map((motion) => overlaid(items, motion));
  if (sets.some((set) => set.series.length)) {
    const curves = new Curves((step) => store.set({ step, playing: false }));
    enliven("curves", "Along the motion on the slider; press in the plot to go there.", curves.element);
    store.follow((now) => curves.show(sets[now.motion]!, now.step));
    onThemeChange(() => curves.rebuild());
  }
  const maps = envelopes(items);
  if (maps) enliven("envelope", "Rotation free of contact over flexion and adduction.", maps);
  await sheet?.load();
}
