/* Curves of a motion, linked with the slider: a line marks the step, and pressing in the plot moves the step. Series
 * differ by dashes as well as colour. */
import uPlot from "uplot";
import { cssColor, h } from "../page/dom";
import { readable, withUnit } from "../page/numbers";

/** Beside a name; nothing where nothing is pointed at. */
const shown = (value: number | null, unit: string): string => (value === null ? "\u2013" : readable(value, unit));

export interface Series {
  label: string;
  unit: string;
  values: (number | null)[];
}

export interface CurveSet {
  along: { label: string; unit: string; values: number[] };
  series: Series[];
}

const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 5]];

/** Steps in the order of growing x; uPlot wants that. Where the motion turns back, x is the step's number. */
export function sortedSteps(values: readonly number[]): { order: number[]; x: number[]; byNumber: boolean } {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const monotone =
    values.every((v, i) => i === 0 || v > values[i - 1]!) || values.every((v, i) => i === 0 || v < values[i - 1]!);
  if (monotone) return { order, x: order.map((i) => values[i]!), byNumber: false };
  return { order: values.map((_, i) => i), x: values.map((_, i) => i), byNumber: true };
}

function unitName(unit: string): string {
  return unit === "deg" || unit === "\u00b0" ? "degrees" : unit;
}

/** One plot for all series of one unit. */
class CurvePlot {
  private readonly plot: uPlot;
  private readonly steps;
  private step: number | null = null;

  constructor(
    private readonly place: HTMLElement,
    set: CurveSet,
    series: Series[],
    private readonly goTo: (step: number) => void,
  ) {
    this.steps = sortedSteps(set.along.values);
    const { order, x, byNumber } = this.steps,
      ink = cssColor("--muted"),
      line = cssColor("--line");
    const axis = {
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line },
      font: "12px system-ui",
      labelFont: "12px system-ui",
    };
    this.plot = new uPlot(
      {
        width: Math.max(240, place.clientWidth),
        height: 190,
        scales: { x: { time: false } },
        axes: [
          {
            ...axis,
            label: byNumber ? "Step" : withUnit(set.along.label, set.along.unit),
            labelSize: 22,
            size: 36,
          },
          { ...axis, label: unitName(series[0]!.unit), labelSize: 22, size: 56 },
        ],
        series: [
          { label: byNumber ? "Step" : set.along.label, value: (_, v) => shown(v, byNumber ? "" : set.along.unit) },
          ...series.map((each, i) => ({
            label: each.label,
            stroke: cssColor(`--series-${(i % 6) + 1}`),
            width: 2,
            dash: DASHES[i % 6]!,
            value: (_: uPlot, v: number | null) => shown(v, each.unit),
          })),
        ],
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { draw: [(u) => this.markStep(u)], ready: [() => this.show(this.step)] },
      },
      [x, ...series.map((each) => order.map((i) => each.values[i] ?? null))],
      place,
    );
    this.followPointer();
  }

  private followPointer(): void {
    const over = this.plot.over;
    const go = (event: PointerEvent): void => {
      if (!(event.buttons & 1) && event.type !== "pointerdown") return;
      const at = this.plot.posToIdx(event.clientX - over.getBoundingClientRect().left);
      this.goTo(this.steps.order[at] ?? 0);
    };
    over.addEventListener("mouseleave", () => this.show(this.step));
    over.addEventListener("pointerdown", go);
    over.addEventListener("pointermove", go);
  }

  private markStep(u: uPlot): void {
    if (this.step === null) return;
    const at = this.steps.order.indexOf(this.step);
    const x = Math.round(u.valToPos(this.steps.x[at] ?? 0, "x", true)),
      pen = u.ctx;
    pen.save();
    pen.strokeStyle = pen.fillStyle = cssColor("--ink");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, u.bbox.top);
    pen.lineTo(x, u.bbox.top + u.bbox.height);
    pen.stroke();
    pen.beginPath();
    (pen.moveTo(x - 7, u.bbox.top), pen.lineTo(x + 7, u.bbox.top), pen.lineTo(x, u.bbox.top + 9));
    pen.fill();
    pen.restore();
  }

  /** null: another motion is on the slider. */
  show(step: number | null): void {
    this.step = step;
    this.place.dataset["step"] = String(step ?? "");
    this.plot.redraw(false, false);
    if (step === null) {
      this.plot.setCursor({ left: -10, top: -10 }, false);
      return;
    }
    // The values beside the names are those under uPlot's cursor.
    const x = this.steps.x[this.steps.order.indexOf(step)] ?? 0;
    this.plot.setCursor({ left: this.plot.valToPos(x, "x"), top: 1 }, false);
  }

  resize(): void {
    if (this.place.clientWidth === 0) return;
    this.plot.setSize({ width: Math.max(240, this.place.clientWidth), height: 190 });
    this.show(this.step);
  }

  destroy(): void {
    this.plot.destroy();
  }
}

export class Curves {
  readonly element = h("div", { class: "live" });
  private plots: CurvePlot[] = [];
  private set: CurveSet | null = null;
  private step: number | null = null;
  private readonly title = h("h3");

  constructor(private readonly goTo: (step: number) => void) {
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(this.element);
  }

  show(set: CurveSet, step: number | null, title = ""): void {
    if (set === this.set && step === this.step && title === this.title.textContent) return;
    this.title.textContent = title;
    this.title.hidden = !title;
    if (set !== this.set) {
      this.set = set;
      this.rebuild();
    }
    this.step = step;
    for (const plot of this.plots) plot.show(step);
  }

  /** Also after the theme has changed: a canvas keeps its colours. */
  rebuild(): void {
    if (!this.set) return;
    for (const plot of this.plots) plot.destroy();
    const units = [...new Set(this.set.series.map((each) => each.unit))];
    const places = units.map(() => h("div", { class: "curve" }));
    this.element.replaceChildren(this.title, ...places);
    this.plots = units.map(
      (unit, i) =>
        new CurvePlot(
          places[i]!,
          this.set!,
          this.set!.series.filter((each) => each.unit === unit),
          this.goTo,
        ),
    );
    for (const plot of this.plots) plot.show(this.step);
  }
}
