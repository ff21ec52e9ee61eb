/* What the reader has chosen, in one place: controls write it, views follow it. */
import type { Coloring } from "./colors/colors";
import type { Motion } from "./model";

export interface Choices {
  motion: number;
  step: number;
  /** A pose outside the motions, until the slider moves again. */
  pose: { matrix: number[]; label: string } | null;
  playing: boolean;
  speed: number;
  field: string;
  /** By field; those that are missing have what suits them, see fields.ts. */
  colors: Readonly<Record<string, Coloring>>;
  hidden: ReadonlySet<string>;
  faint: ReadonlySet<string>;
  only: string | null;
  clip: "off" | "right" | "forward" | "up" | "neck";
  /** mm from the centre; of "neck" from the middle of the neck */
  clipAt: number;
  contacts: boolean;
  landmarks: boolean;
  /** The name of the vectors that are shown; "": none. */
  arrows: string;
  perspective: boolean;
}

export class Store {
  private listeners: ((now: Readonly<Choices>, changed: Partial<Choices>) => unknown)[] = [];
  constructor(readonly now: Choices) {}

  set(changed: Partial<Choices>): void {
    Object.assign(this.now, changed);
    for (const listener of this.listeners) listener(this.now, changed);
  }

  /** Calls the listener at once and after every change; with `keys`, after changes of these only. While a slider is dragged
   * every needless touch of the page costs a pose. */
  follow(listener: (now: Readonly<Choices>, changed: Partial<Choices>) => void, ...keys: (keyof Choices)[]): void {
    this.listeners.push(
      keys.length ? (now, changed) => keys.some((key) => key in changed) && listener(now, changed) : listener,
    );
    listener(this.now, { ...this.now });
  }
}

/** Where the first curve of a motion is highest. */
function highestStep(motion: Motion | undefined): number {
  const values = motion?.curves[0]?.values ?? [];
  return Math.max(0, values.indexOf(Math.max(...values.map((x) => x ?? -Infinity))));
}

/** Where people want to look first: seated or at the end of the impingement test, where that goes into something, else where a
 * motion first meets its limit, else where the first curve is highest. What was cut is seen before a motion begins: at its
 * limit the bones cover it. */
function firstPlace(motions: readonly Motion[]): { motion: number; step: number } {
  const seated = motions.findIndex(
    (each) =>
      ["stand_to_sit", "impingement_test"].includes(each.name) && each.curves.some((curve) => curve.values.some((x) => (x ?? 0) > 0)),
  );
  if (seated >= 0) return { motion: seated, step: motions[seated]!.poses.length - 1 };
  // The posture that was asked for is where its motion ends.
  if (motions[0]?.name === "posture") return { motion: 0, step: motions[0].poses.length - 1 };
  const motion = motions.findIndex((each) => each.contact),
    contact = motions[motion]?.contact;
  if (contact && motions.some((each) => each.name === "gain_by_depth")) return { motion, step: 0 };
  return contact ? { motion, step: limitStep(motions[motion]!) } : { motion: 0, step: highestStep(motions[0]) };
}

/** Where a motion ends: at its contact, else where its first curve is highest. */
export function limitStep(motion: Motion): number {
  return motion.contact ? nearestStep(motion, motion.contact.angle_deg) : highestStep(motion);
}

/** `first` names the motion that shows what was found; without it a place is chosen. */
export function firstChoices(
  motions: readonly Motion[],
  field: string,
  faint: Iterable<string>,
  first: string | null = null,
): Choices {
  const motion = motions.findIndex((each) => each.name === first);
  return {
    ...(motion >= 0 ? { motion, step: limitStep(motions[motion]!) } : firstPlace(motions)),
    pose: null,
    playing: false,
    speed: 1,
    field,
    colors: {},
    hidden: new Set(),
    faint: new Set(faint),
    only: null,
    clip: "off",
    clipAt: 0,
    contacts: true,
    landmarks: false,
    arrows: "",
    perspective: true,
  };
}

/** The step of a motion that is nearest to a value of what the slider shows; the last of several, since a motion in flexion
 * is led there first. */
export function nearestStep(motion: Motion, value: number): number {
  const { values } = motion.along;
  return values.reduce((best, x, i) => (Math.abs(x - value) <= Math.abs(values[best]! - value) ? i : best), 0);
}

export function toggled(set: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (on) next.add(name);
  else next.delete(name);
  return next;
}
