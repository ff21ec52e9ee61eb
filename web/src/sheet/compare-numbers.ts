/* Several reports as numbers: a table with differences, curves over each other. */
import type { CurveSet } from "../figures/curves";
import type { Motion, Report, Table } from "../model";
import { rangeText, whyNot } from "../figures/ranges";

/** As fine as the finest numbers are shown; no minus before a zero. */
function differenceOf(a: number, b: number): number {
  return Number((a - b).toFixed(3)) + 0;
}

/** Every number that any of the reports has, and by how much the others differ from the first. */
export function numbersTable(items: readonly Report[]): Table {
  const names = new Map(items.flatMap((item) => item.ranges).map((range) => [range.name, range]));
  const value = (item: Report, name: string): number | null =>
    item.ranges.find((range) => range.name === name)?.value ?? null;
  const columns = [
    { key: "number", label: "Number", unit: "", numeric: false },
    { key: "unit", label: "Unit", unit: "", numeric: false },
    { key: "range", label: "Published", unit: "", numeric: false },
    ...items.map((item, i) => ({ key: `v${i}`, label: item.title, unit: "", numeric: true })),
    ...items.slice(1).map((item, i) => ({
      key: `d${i + 1}`,
      label: `${item.title} \u2212 ${items[0]!.title}`,
      unit: "",
      numeric: true,
    })),
  ];
  const rows = [...names.values()].map((range) => {
    const row: Table["rows"][number] = {
      number: range.label,
      unit: range.unit,
      range: rangeText(range),
    };
    const first = value(items[0]!, range.name);
    items.forEach((item, i) => {
      const own = value(item, range.name),
        found = item.ranges.find((each) => each.name === range.name);
      row[`v${i}`] = own ?? (found ? whyNot(found) : null);
      if (i) row[`d${i}`] = own === null || first === null ? null : differenceOf(own, first);
    });
    return row;
  });
  return { name: "compare", title: "Numbers and differences", columns, rows, note: null };
}

/** The table; none where no report has a number for it, such as those of depths alone. */
export function numberTables(items: readonly Report[]): Table[] {
  const table = numbersTable(items);
  return table.rows.length ? [table] : [];
}

/** Values at other places, by straight lines; null outside and beside gaps. */
export function resampled(
  from: readonly number[],
  values: readonly (number | null)[],
  to: readonly number[],
): (number | null)[] {
  return to.map((x) => {
    const i = from.findIndex((a, k) => k + 1 < from.length && (a - x) * (from[k + 1]! - x) <= 0);
    const a = values[i] ?? null,
      b = values[i + 1] ?? null;
    if (i < 0) return null;
    if (from[i] === x) return a;
    if (from[i + 1] === x) return b;
    return a === null || b === null ? null : a + ((b - a) * (x - from[i]!)) / (from[i + 1]! - from[i]!);
  });
}

/** A motion's curves of all reports, along the first one's values. */
export function overlaid(items: readonly Report[], motion: Motion): CurveSet {
  const series = motion.curves.flatMap((curve) =>
    items.flatMap((item) => {
      const other = item.motions.find((each) => each.name === motion.name),
        own = other?.curves.find((each) => each.name === curve.name);
      return other && own
        ? [
            {
              label: `${curve.label}, ${item.title}`,
              unit: curve.unit,
              values: resampled(other.along.values, own.values, motion.along.values),
            },
          ]
        : [];
    }),
  );
  return { along: motion.along, series };
}
