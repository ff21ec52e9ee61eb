/* The page of one report. */
import { keepState, readLook, readState } from "./page/address";
import { keepInSight } from "./page/afloat";
import { afterPaint, caseName, showMessage } from "./page/dom";
import { addField, colorsLabrum, fieldGroups, fieldsOf, firstField } from "./colors/fields";
import { fitFirstScreen } from "./page/first-screen";
import { followLinks, leading } from "./page/links";
import { startLive } from "./live/live";
import { viewerSource } from "./live/http";
import { canCompute, pageSource, poseFields } from "./live/ask-worker";
import { looksOf } from "./scene/looks";
import type { Report } from "./model";
import { makePageTools, type Shortcut } from "./page/tools";
import { makePlots } from "./figures/plots";
import { Scene } from "./scene/scene";
import { firstChoices, Store } from "./store";
import { makeTables } from "./page/tables";
import { makeVerdict } from "./page/verdict";

/** Bones are see-through at first where what is coloured lies behind them: all of them around coloured soft tissue, those
 * that stay around a coloured body that moves, those that press on one that deforms. */
function faintAtFirst(report: Report, field: string, found: string | null): string[] {
  const colored = report.bodies.filter((body) => fieldsOf(body).some((each) => each.name === field)),
    soft = colorsLabrum(report.bodies, field),
    inside = colored.some((body) => body.moves),
    deforms = colored.some((body) => body.vectors?.some((each) => each.displaces));
  // Where a contact is what was found, what moves hides it.
  if (!soft && report.motions.some((motion) => motion.name === found && motion.contact))
    return report.bodies.filter((body) => body.moves).map((body) => body.name);
  return report.bodies
    .filter((body) => body.tissue === "bone" && (soft || (inside && !body.moves) || (deforms && !colored.includes(body))))
    .map((body) => body.name);
}

export function stepKeys(store: Store, steps: () => number): Shortcut[] {
  const go = (by: number): void =>
    store.set({ step: Math.min(steps() - 1, Math.max(0, store.now.step + by)), pose: null, playing: false });
  return [
    { key: " ", does: "play or pause", run: () => steps() && store.set({ playing: !store.now.playing }) },
    { key: ",", does: "a step back", run: () => steps() && go(-1) },
    { key: ".", does: "a step on", run: () => steps() && go(1) },
  ];
}

function sceneKeys(scene: Scene, store: Store): Shortcut[] {
  return [
    ...looksOf(scene.report.frame).map((each) => ({
      key: each.key,
      does: `view: ${each.label.toLowerCase()}`,
      run: () => scene.look(each.name),
    })),
    { key: "0", does: "reset the scene", run: () => scene.reset() },
    { key: "o", does: "orthographic or perspective", run: () => store.set({ perspective: !store.now.perspective }) },
    { key: "l", does: "landmarks", run: () => store.set({ landmarks: !store.now.landmarks }) },
    { key: "s", does: "screenshot", run: () => scene.screenshot() },
  ];
}

/** Texts lead to the scene, which stays in sight; the address keeps what it shows. */
function link(scene: Scene, store: Store): void {
  const { motions, ranges } = scene.report;
  for (const cell of document.querySelectorAll('table:is([data-table="motions"], [data-table="measures"]) tbody td:first-child'))
    leading(
      cell,
      [...motions, ...ranges.filter(({ group }) => group === "measure")].find(({ label }) => label === cell.firstChild?.textContent),
    );
  const look = readLook(location.hash);
  if (look) scene.stage.lookAgain(...look);
  followLinks(
    motions,
    scene.report.ranges,
    (motion) => scene.showLimit(motion),
    (name) => scene.showMeasure(name),
  );
  keepState(store, motions, scene.stage);
  keepInSight(scene.box);
}

export async function showReport(report: Report): Promise<void> {
  const place = document.getElementById("scene"),
    field = firstField(fieldGroups([report])),
    computes = !report.live && canCompute(report);
  if (computes) for (const body of report.bodies) for (const each of poseFields()) addField(body, each);
  const found = report.verdict ? (report.shows?.find((name) => name !== null) ?? null) : null,
    store = new Store({
      ...firstChoices(report.motions, field, faintAtFirst(report, field, found), found),
      ...readState(
        location.hash,
        report.motions,
        fieldGroups([report]).map(({ name }) => name),
      ),
    });
  let scene: Scene | null = null;
  if (place && report.bodies.length) {
    try {
      scene = new Scene(report, store, place);
      // It takes the place of the pictures, on paper too. They are thousands of elements, which all that walks the page would meet.
      for (const view of document.querySelectorAll('figure[data-plot="view"]')) view.remove();
    } catch {
      place.replaceChildren();
      showMessage(
        "This browser has no WebGL, so the joint cannot be shown in three dimensions. Text, drawings and tables are complete.",
      );
    }
  }
  place?.classList.remove("awaited");
  if (scene) {
    makeVerdict(report);
    fitFirstScreen(scene.box);
  }
  await scene?.load();
  await afterPaint();
  makeTables(report.tables, caseName(report));
  if (scene) link(scene, store);
  makePageTools(caseName(report), report, [
    ...stepKeys(store, () => report.motions[store.now.motion]?.poses.length ?? 0),
    ...(scene ? sceneKeys(scene, store) : []),
  ]);
  makePlots(report, store);
  if (scene && report.live) startLive(scene, viewerSource(report.live.url));
  else if (scene && computes) startLive(scene, pageSource(report));
}
