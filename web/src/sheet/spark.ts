/* A number and its small curve along a motion, with a mark where the motion is now. */
import { h, svg } from "../page/dom";
import { readable } from "../page/numbers";
import type { CellValue } from "./computed";

const WIDTH = 132,
  HEIGHT = 36,
  EDGE = 3;

export class Spark {
  private readonly text = h("output", { class: "spark-number" });
  private readonly note = h("span", { class: "spark-note" });
  private readonly zero = svg("line", { class: "zero", x1: 0, x2: WIDTH });
  private readonly line = svg("path", { class: "line", fill: "none" });
  private readonly here = svg("line", { class: "here", y1: 0, y2: HEIGHT });
  private readonly dot = svg("circle", { class: "dot", r: 3 });
  private readonly drawing = svg(
    "svg",
    { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" },
    this.zero,
    this.line,
    this.here,
    this.dot,
  );
  readonly element = h("div", { class: "spark-box", hidden: true }, this.drawing, this.text, this.note);

  /** `span` is what the height stands for, so that curves compare. `said` is the note in full, for those who hear it;
   * `missing` stands where there is no value. */
  show(value: CellValue | null, span: readonly [number, number], note: string, said: string, missing: string): void {
    this.element.hidden = false;
    this.element.dataset["value"] = value?.now === null || !value ? "" : String(value.now);
    this.element.dataset["history"] = value ? value.history.map((x) => x ?? "").join(" ") : "";
    this.text.textContent = value ? readable(value.now, value.unit) : missing;
    this.note.textContent = note;
    const curved = value !== null && value.history.length > 1;
    this.drawing.style.display = curved ? "" : "none";
    if (curved) this.draw(value, span, said);
  }

  hide(): void {
    this.element.hidden = true;
  }

  private draw({ history, step, unit, now }: CellValue, [low, high]: readonly [number, number], said: string): void {
    const x = (i: number): number => EDGE + (i / (history.length - 1)) * (WIDTH - 2 * EDGE),
      y = (value: number): number => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
    let path = "";
    history.forEach((value, i) => {
      if (value !== null)
        path += `${i === 0 || history[i - 1] === null ? "M" : "L"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    this.line.setAttribute("d", path);
    for (const key of ["y1", "y2"]) this.zero.setAttribute(key, y(0).toFixed(1));
    for (const key of ["x1", "x2"]) this.here.setAttribute(key, x(step).toFixed(1));
    this.dot.style.display = now === null ? "none" : "";
    this.dot.setAttribute("cx", x(step).toFixed(1));
    this.dot.setAttribute("cy", y(now ?? 0).toFixed(1));
    const known = history.filter((value) => value !== null);
    this.drawing.setAttribute(
      "aria-label",
      `${said}: ${readable(Math.min(...known), unit)} to ${readable(Math.max(...known), unit)}, now ${readable(now, unit)}`,
    );
  }
}

/** The range of several histories, with 0 in it. */
export function spanOf(values: readonly (CellValue | null)[]): [number, number] {
  let low = 0,
    high = 0;
  for (const value of values)
    for (const x of value?.history ?? [])
      if (x !== null && Number.isFinite(x)) ((low = Math.min(low, x)), (high = Math.max(high, x)));
  return [low, high];
}
