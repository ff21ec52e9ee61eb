/* The fields of a report as one list: bodies share a name, colours share a range. */
import { isDiverging, type Coloring, type Scale } from "./colors";
import type { Body, Field, Report } from "../model";
import type { Choices, Store } from "../store";

export interface FieldGroup {
  name: string;
  label: string;
  unit: string;
  low: number;
  high: number;
}

const known = new WeakMap<Body, Field[]>();

/** What can colour a body: its fields, and the lengths of its vectors. */
export function fieldsOf(body: Body): Field[] {
  let fields = known.get(body);
  if (!fields) {
    const lengths = (body.vectors ?? []).map(
      (vectors): Field => ({ ...vectors, low: 0, step: vectors.longest / 65534, vectors }),
    );
    known.set(body, (fields = [...body.fields, ...lengths]));
  }
  return fields;
}

/** Does the field colour a labrum? Where a hip impinges that lies inside its bones, the moving one as well. */
export function colorsLabrum(bodies: readonly Body[], field: string): boolean {
  return bodies.some((body) => body.tissue === "labrum" && fieldsOf(body).some(({ name }) => name === field));
}

/** A field that is known along some motions has one set of values for all others: the greatest along the first. Its name, where
 * `motion` is such another one. */
export function greatestAlong(body: Body, name: string, motion: string | undefined): string | null {
  const named = fieldsOf(body).filter((field) => field.name === name);
  if (named.some((field) => field.motion === motion && field.motion !== null)) return null;
  return named.find((field) => field.steps > 1)?.motion ?? null;
}

/** One that only the page has. */
export function addField(body: Body, field: Field): void {
  fieldsOf(body).push(field);
}

export function dropFields(body: Body, isDropped: (name: string) => boolean): void {
  known.set(
    body,
    fieldsOf(body).filter(({ name }) => !isDropped(name)),
  );
}

/** 65534 steps lie between the least and the greatest value that a field can hold. */
export function fieldGroups(reports: readonly Report[]): FieldGroup[] {
  const groups = new Map<string, FieldGroup>();
  for (const field of reports.flatMap((report) => report.bodies.flatMap(fieldsOf))) {
    const high = field.low + 65534 * field.step,
      group = groups.get(field.name);
    if (!group)
      groups.set(field.name, { name: field.name, label: field.label, unit: field.unit, low: field.low, high });
    else Object.assign(group, { low: Math.min(group.low, field.low), high: Math.max(group.high, high) });
  }
  return [...groups.values()];
}

/** A depth or a pressure is of more interest than a count, which has no unit. */
export function firstField(groups: readonly FieldGroup[]): string {
  return (groups.find((group) => group.unit) ?? groups[0])?.name ?? "";
}

function isSigned(group: FieldGroup | undefined): boolean {
  return group !== undefined && group.low < 0 && group.high > 0;
}

/** What the reader has chosen for a field, or else what suits it: where 0 parts two kinds of values it is in the middle. */
export function coloringOf(group: FieldGroup | undefined, now: Readonly<Choices>): Coloring {
  const chosen = group && now.colors[group.name];
  return (
    chosen ?? {
      table: isSigned(group) ? "blue-red" : "viridis",
      shape: "linear",
      points: [],
      low: null,
      high: null,
      level: null,
    }
  );
}

/** Numbers of kinds have no unit and are few; their number, or 0. */
function kindsOf({ unit, low, high }: FieldGroup): number {
  const span = Math.round(high - low);
  return !unit && Math.abs(high - low - span) < 1e-6 && span >= 1 && span < 12 ? span + 1 : 0;
}

/** The ends of the colours and the threshold, as chosen or from the field. */
export function scaleOf(group: FieldGroup | undefined, coloring: Coloring): Scale {
  const even = isSigned(group) && isDiverging(coloring.table) ? Math.max(-group!.low, group!.high) : null,
    low = coloring.low ?? (even === null ? (group?.low ?? 0) : -even),
    high = coloring.high ?? even ?? group?.high ?? 1;
  const { table, shape, points } = coloring;
  return {
    table,
    shape,
    points,
    low,
    high,
    level: coloring.level ?? (low + high) / 2,
    kinds: group ? kindsOf(group) : 0,
  };
}

export function scaleNow(group: FieldGroup | undefined, now: Readonly<Choices>): Scale {
  return scaleOf(group, coloringOf(group, now));
}

/** Each field keeps its own colours. */
export function recolor(store: Store, group: FieldGroup, changed: Partial<Coloring>): void {
  const { colors } = store.now;
  store.set({ colors: { ...colors, [group.name]: { ...coloringOf(group, store.now), ...changed } } });
}
