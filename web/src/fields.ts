/* The fields of a report as one list: bodies share a name, colours share a range. */
import type { Report } from "./model";
import type { Choices } from "./store";

export interface FieldGroup {
  name: string;
  label: string;
  unit: string;
  low: number;
  high: number;
}

/** 65534 steps lie between the least and the greatest value that a field can hold. */
export function fieldGroups(reports: readonly Report[]): FieldGroup[] {
  const groups = new Map<string, FieldGroup>();
  for (const field of reports.flatMap((report) => report.bodies.flatMap((body) => body.fields))) {
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

/** The ends of the colours and the threshold, as chosen or from the field. */
export function colorRange(
  group: FieldGroup | undefined,
  now: Readonly<Choices>,
): { low: number; high: number; level: number } {
  const low = now.low ?? group?.low ?? 0,
    high = now.high ?? group?.high ?? 1;
  return { low, high, level: now.level ?? (low + high) / 2 };
}
