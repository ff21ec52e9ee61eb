/* The rows of the sheet: what each of them fixes; the rest follows the slider and the panel. */
import type { Shape } from "../colors/colors";
import { uncapitalised } from "../page/dom";
import { readable } from "../page/numbers";
import type { FieldGroup } from "../colors/fields";
import type { Motion } from "../model";

export interface Row {
  motion?: string;
  /** 0 to 1 along each report's own motion. */
  place?: number;
  /** A step of the first report's motion; the others are shown at the same angle or time. */
  frame?: number;
  field?: string;
  shape?: Shape;
  level?: number;
  /** The body whose area counts; "*": all that have the field. */
  surface?: string;
}

export type RowKind = "motions" | "limits" | "one" | "places" | "frames" | "fields" | "levels";

export const ROW_KINDS: { value: RowKind; label: string }[] = [
  { value: "motions", label: "Motions" },
  { value: "limits", label: "Motions, each at its own limit" },
  { value: "one", label: "The slider" },
  { value: "places", label: "Start, middle, end" },
  { value: "frames", label: "Frames in time" },
  { value: "fields", label: "Fields" },
  { value: "levels", label: "Thresholds" },
];

export const ALL_SURFACES = "*";
const PLACES = new Map([
  [0, "start"],
  [0.5, "middle"],
  [1, "end"],
]);
const FRAMES = 6;

/** About four round numbers inside a range. */
export function roundLevels(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / 5,
    power = 10 ** Math.floor(Math.log10(rough)),
    step = power * ([1, 2, 5].find((k) => k * power >= rough) ?? 10);
  const levels: number[] = [];
  for (let k = Math.floor(low / step) + 1; k * step < high; ++k) levels.push(Number((k * step).toPrecision(6)));
  return levels;
}

/** Frames at even distances, all of them where there are few. */
export function evenFrames(count: number): number[] {
  const shown = Math.min(FRAMES, count);
  return Array.from({ length: shown }, (_, i) => Math.round((i * (count - 1)) / Math.max(1, shown - 1)));
}

export interface Context {
  motions: readonly Motion[];
  groups: readonly FieldGroup[];
  /** On the slider, and in the panel. */
  motion: Motion | undefined;
  group: FieldGroup | undefined;
  /** The ends of the colours. */
  low: number;
  high: number;
}

export function rowsOf(kind: RowKind, { motions, groups, motion, low, high }: Context): Row[] {
  switch (kind) {
    case "motions":
      return motions.map(({ name }) => ({ motion: name }));
    case "limits":
      return motions.map(({ name }) => ({ motion: name, place: 1 }));
    case "places":
      return [...PLACES.keys()].map((place) => ({ place }));
    case "frames":
      return motion ? evenFrames(motion.poses.length).map((frame) => ({ motion: motion.name, frame })) : [{}];
    case "fields":
      return groups.map(({ name }) => ({ field: name }));
    case "levels":
      return roundLevels(low, high).map((level) => ({ shape: "threshold", level }));
    default:
      return [{}];
  }
}

/** What distinguishes a row, in words. */
export function rowLabel(row: Row, { motions, motion, groups, group }: Context): string {
  const own = row.motion === undefined ? motion : motions.find(({ name }) => name === row.motion),
    field = row.field === undefined ? group : groups.find(({ name }) => name === row.field);
  const time =
    row.frame !== undefined && own
      ? `${uncapitalised(own.along.label)} ${readable(own.along.values[Math.min(row.frame, own.along.values.length - 1)] ?? null, own.along.unit)}`
      : row.place === undefined
        ? ""
        : (PLACES.get(row.place) ?? `${Math.round(100 * row.place)} %`);
  const level = row.level === undefined ? "" : `above ${readable(row.level, field?.unit)}`;
  const namedByTime = row.frame !== undefined && own?.label === own?.along.label;
  const said = [row.motion === undefined || namedByTime ? "" : (own?.label ?? row.motion), time]
    .concat([row.field === undefined && !level ? "" : (field?.label ?? ""), level].filter(Boolean).join(" "))
    .filter(Boolean);
  return said.map((part, i) => (i ? uncapitalised(part) : part.charAt(0).toUpperCase() + part.slice(1))).join(", ");
}
