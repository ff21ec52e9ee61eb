/* Changes of the bone that only the page itself computes: for looking, not for keeping. */
import { freshId, h } from "../page/dom";
import { differenceText, readable } from "../page/numbers";
import type { ChangeAnswer, Computing, PoseAnswer } from "./protocol";
import type { Motion, Vec3 } from "../model";

/** A number with its label and unit, for a two-column grid. */
function entry(
  label: string,
  attributes: { name: string; value: number; min?: number; max?: number; step: number | "any" },
  onChange: (value: number) => void,
): { label: HTMLLabelElement; input: HTMLInputElement } {
  const input = h("input", {
    type: "number",
    ...attributes,
    id: freshId(),
    onchange: () => input.value !== "" && input.reportValidity() && onChange(Number(input.value)),
  });
  return { label: h("label", { for: input.id }, label), input };
}

export class ChangeControls {
  readonly element: HTMLElement;
  /** The next press on the femur cuts. */
  cutting = false;
  private cuts = 0;
  private readonly radius;
  private readonly depth;
  private readonly joint;
  private readonly brush: HTMLButtonElement;
  private readonly takeBack: HTMLButtonElement;
  private readonly removed = h("output", { class: "quiet" });
  private readonly limits = h("dl", { class: "numbers quiet" });

  constructor(
    private readonly compute: Computing,
    private readonly motions: readonly Motion[],
    /** Gives whether it was carried out. */
    private readonly apply: (what: Promise<ChangeAnswer>) => Promise<boolean>,
    onCutting: () => void,
  ) {
    this.joint = entry("Joint surface within, mm", { name: "joint-radius", value: 0, min: 0, max: 100, step: "any" }, (mm) =>
      void apply(compute.setJointRadius(mm)),
    );
    this.joint.input.title = "What of the femur lies so near to the centre of its head stops nothing; 0: everything counts";
    this.radius = entry("Brush, mm", { name: "brush-radius", value: 8, min: 1, max: 30, step: 0.5 }, () => {});
    this.depth = entry("Depth, mm", { name: "brush-depth", value: 1, min: 0.1, max: 4, step: 0.1 }, () => {});
    this.brush = h(
      "button",
      {
        type: "button",
        name: "cut",
        "aria-pressed": "false",
        onclick: () => {
          this.stop(!this.cutting);
          onCutting();
        },
      },
      "Cut the femur",
    );
    this.takeBack = h(
      "button",
      { type: "button", name: "undo-cut", disabled: true, onclick: () => void this.undo() },
      "Undo the cut",
    );
    const pairs = (...all: { label: HTMLElement; input: HTMLElement }[]): HTMLElement =>
      h("div", { class: "pair" }, ...all.flatMap(({ label, input }) => [label, input]));
    this.element = h(
      "details",
      { class: "changes", ontoggle: () => void this.fill() },
      h("summary", {}, "Change the hip"),
      pairs(this.joint),
      h("div", { class: "row" }, this.brush, this.takeBack),
      pairs(this.radius, this.depth),
      this.removed,
      this.limits,
    );
  }

  /** What there is to change is known only once the worker runs. */
  private async fill(): Promise<void> {
    try {
      this.joint.input.value = (await this.compute.jointRadius()).toFixed(2);
      if (!this.limits.childElementCount) this.showLimits(await this.compute.limits());
    } catch {
      // Whoever asks next reports it.
    }
  }

  /** The cut under the brush, at a place on the femur as it lies. */
  async press(point: Vec3): Promise<void> {
    const size = [this.radius, this.depth].map(({ input }) => Number(input.value)) as [number, number];
    if (await this.apply(this.compute.cut(point, ...size))) ++this.cuts;
    this.takeBack.disabled = this.cuts === 0;
  }

  private async undo(): Promise<void> {
    this.takeBack.disabled = true;
    if (await this.apply(this.compute.undo())) --this.cuts;
    this.takeBack.disabled = this.cuts === 0;
  }

  stop(cutting = false): void {
    this.cutting = cutting;
    this.brush.setAttribute("aria-pressed", String(cutting));
  }

  async show({ cut }: ChangeAnswer): Promise<void> {
    if (cut) this.removed.textContent = cut.removed ? `${readable(cut.removed, "mm\u00b3")} of bone removed` : "";
    this.showLimits(await this.compute.limits());
  }

  /** Beside what the report has found, where it has found a stop. */
  private showLimits(limits: PoseAnswer["numbers"]): void {
    this.limits.replaceChildren(
      ...limits.flatMap(({ name, label, unit, value, words }) => {
        const before = this.motions.find((motion) => motion.name === name)?.contact?.angle_deg,
          gain = value === null || before === undefined ? "0" : differenceText(value, before, unit),
          more = gain === "0" ? "" : ` (${gain}\u00b0)`;
        return [h("dt", {}, label), h("dd", { "data-limit": name, "data-value": value, class: words ? "words" : "" }, `${words ?? readable(value, unit)}${more}`)];
      }),
    );
  }
}
