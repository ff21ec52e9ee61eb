/* Puts the live drawings into the figures of the page; the static ones stay for paper. */
import { clockFace } from "./clock";
import { Curves, type CurveSet } from "./curves";
import { h } from "../page/dom";
import { readable } from "../page/numbers";
import { envelopePlot } from "./envelope";
import { hipPose } from "../live/hip-pose";
import type { Motion, Range, Report } from "../model";
import { rangeRows } from "./ranges";
import type { Store } from "../store";
import { onThemeChange } from "../page/theme";

/** The figure of this name, made where the page has none; the new drawing goes above its caption. */
function figure(name: string, caption: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`figure[data-plot="${name}"]`);
  if (found) return found;
  const made = h("figure", { "data-plot": name }, h("figcaption", {}, caption));
  document.getElementById("plots")?.append(made);
  return made;
}

export function enliven(name: string, caption: string, live: HTMLElement): void {
  const place = figure(name, caption),
    old = place.querySelector("figcaption");
  if (!place.querySelector("svg")) live.classList.add("prints");
  place.classList.add("has-live");
  place.parentElement?.classList.add("with-live");
  if (old) old.before(live);
  else place.append(live);
}

export function makePlots(report: Report, store: Store): void {
  const sets: CurveSet[] = report.motions.map((motion) => ({ along: motion.along, series: motion.curves }));
  // Without bodies there is no slider to follow: the drawing, which has a panel for every motion, says more.
  if (report.bodies.length && sets.some((set) => set.series.length)) {
    // A motion without curves leaves those of the first that has some; pressing there goes to that motion.
    const first = sets.findIndex((set) => set.series.length),
      shown = (motion: number): number => (sets[motion]?.series.length ? motion : first);
    const curves = new Curves((step) =>
      store.set({ motion: shown(store.now.motion), step, pose: null, playing: false }),
    );
    enliven("curves", "Along the motion on the slider; press in the plot to go there.", curves.element);
    store.follow((now) => {
      const motion = shown(now.motion);
      curves.show(sets[motion]!, motion === now.motion ? now.step : null, report.motions[motion]!.label);
    }, "motion", "step");
    onThemeChange(() => curves.rebuild());
  } else if (!sets.some((set) => set.series.length))
    document.querySelector<HTMLElement>('figure[data-plot="curves"]')?.classList.add("empty");
  if (report.envelope) {
    const goTo = (flexion: number, adduction: number, rotation: number): void => {
      const matrix = hipPose(report.frame, flexion, adduction, rotation);
      const turn = rotation ? `, ${rotation > 0 ? "int." : "ext."} rot. ${readable(Math.abs(rotation), "deg")}` : "";
      if (matrix)
        store.set({
          pose: { matrix, label: `Flexion ${readable(flexion, "deg")}, add. ${readable(adduction, "deg")}${turn}` },
          playing: false,
        });
    };
    enliven(
      "envelope",
      "Rotation free of contact over flexion and adduction.",
      envelopePlot(report.envelope, report.frame.joint && report.motions.length ? goTo : null),
    );
  }
  if (report.clock.length) {
    const clock = clockFace(report.clock, report.bodies.length ? report.motions : [], report.ranges);
    enliven("clock", "Where the rim is met, as on a clock.", clock.element);
    store.follow((now) => clock.show(report.motions[now.motion]?.contact ?? null), "motion");
  }
  if (report.ranges.length) showRanges(report.ranges, report.bodies.length ? report.motions : [], report.notes);
}

/** Also again, after a viewer has changed them. */
export function showRanges(ranges: readonly Range[], motions: readonly Motion[], notes: readonly string[] = []): void {
  const rows = rangeRows(ranges, motions, notes),
    old = document.querySelector('figure[data-plot="ranges"] > .live');
  if (old) old.replaceWith(rows);
  else enliven("ranges", "Numbers beside published ranges.", rows);
}
