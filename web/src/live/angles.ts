/* Joint angles by slider and number, and the stop at contact. */
import { h, type Child } from "../page/dom";
import { readable } from "../page/numbers";
import { hipPose } from "./hip-pose";
import type { PoseAnswer } from "./protocol";
import type { Frame } from "../model";
import type { Choices, Store } from "../store";

export type Angles = [number, number, number];
type Free = [number, number];

const AXES = [
  { name: "flexion", label: "Flexion", low: -45, high: 150, ways: ["free_flexion", "free_extension"] },
  { name: "adduction", label: "Adduction", low: -80, high: 60, ways: ["free_adduction", "free_abduction"] },
  {
    name: "rotation",
    label: "Internal rotation",
    low: -90,
    high: 90,
    ways: ["free_internal_rotation", "free_external_rotation"],
  },
] as const;

/** How far each angle may go on, up and down; below 0 it has to go back. Infinite where nothing stops it. */
export function freeAngles(numbers: PoseAnswer["numbers"]): Free[] | null {
  const free = AXES.map(({ ways }) =>
    ways.map((way) => {
      const number = numbers.find(({ name }) => name === way);
      return number ? (number.value ?? Infinity) : NaN;
    }),
  ) as Free[];
  return free.flat().some(Number.isNaN) ? null : free;
}

/** Angles that differ by less, in degrees, are the same ones. */
export const SAME = 1e-6;

/** Degrees before the contact where a turn stops, so that rounding does not make an overlap of it. */
const HAIR = 1e-4;

/** Where a turn about one axis ends that is to go from `from` to `to`: there, or at the contact. */
export function stopped(from: Angles, to: Angles, free: readonly Free[]): Angles {
  const axis = to.findIndex((angle, i) => Math.abs(angle - from[i]!) > SAME);
  if (axis < 0) return to;
  const [up, down] = free[axis]!,
    end = [...to] as Angles;
  const most = from[axis]! + Math.max(0, up - HAIR),
    least = from[axis]! - Math.max(0, down - HAIR);
  end[axis] = Math.max(least, Math.min(most, to[axis]!));
  return end;
}

export function anglesLabel(angles: Angles): string {
  const text = (label: string, value: number): string => `${label} ${readable(value, "deg")}`;
  return [text("Flexion", angles[0]), text("add.", angles[1]), text("int. rot.", angles[2])].join(", ");
}

/** The controls; `go` is asked to take the joint there. */
export class AngleControls {
  readonly element: HTMLElement;
  private readonly inputs: { slider: HTMLInputElement; entry: HTMLInputElement }[];
  private now: Angles = [0, 0, 0];

  constructor(go: (angles: Angles) => void) {
    this.inputs = AXES.map(({ name, label, low, high }, i) => {
      const take = (value: number): void => {
        if (!Number.isFinite(value)) return;
        const angles = [...this.now] as Angles;
        angles[i] = value;
        go(angles);
      };
      const range = { min: low, max: high, "aria-label": `${label}, degrees` };
      const slider = h("input", {
        ...range,
        type: "range",
        step: 0.1,
        name: `angle-${name}`,
        oninput: () => take(Number(slider.value)),
      });
      const entry = h("input", {
        ...range,
        "aria-label": `${label}, degrees, as a number`,
        type: "number",
        step: "any",
        name: `number-${name}`,
        onchange: () => take(entry.value === "" ? NaN : Number(entry.value)),
      });
      return { slider, entry };
    });
    const rows: Child[] = this.inputs.flatMap(({ slider, entry }, i) => [
      h("span", {}, AXES[i]!.label.replace("Internal", "Int.")),
      slider,
      entry,
    ]);
    this.element = h("div", { class: "angles" }, ...rows);
  }

  show(angles: Angles): void {
    this.now = angles;
    this.inputs.forEach(({ slider, entry }, i) => {
      const text = String(Number(angles[i]!.toFixed(1)));
      if (Number(slider.value) !== Number(text)) slider.value = text;
      // What is being typed stays as it is.
      if (document.activeElement !== entry || Math.abs(Number(entry.value) - angles[i]!) > 0.05) entry.value = text;
    });
  }
}

export function goTo(store: Store, frame: Frame, angles: Angles, more: Partial<Choices> = {}): void {
  const matrix = hipPose(frame, ...angles);
  if (matrix) store.set({ pose: { matrix, label: anglesLabel(angles) }, playing: false, ...more });
}
