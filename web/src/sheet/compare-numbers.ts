/* Several reports as numbers: a table with differences, curves over each other. */
import type { CurveSet } from "../figures/curves";
import type { Motion, Range, Report, Table } from "../model";
import { noteMarks } from "../page/notes";
import { bandText, differenceText, plainly, unitText } from "../page/numbers";
import type { Put } from "../page/tables";
import { rangeText, whyNot } from "../figures/ranges";

/** The ranges that any of the reports has: a row each. */
function namesOf(items: readonly Report[]): Range[] {
  return [...new Map(items.flatMap((item) => item.ranges).map((range) => [range.name, range])).values()];
}

function rangeOf(item: Report | undefined, name: string): Range | undefined {
  return item?.ranges.find((range) => range.name === name);
}

/** Every number that any of the reports has, and by how much the others differ from the first. All digits, for copies and
 * files. */
export function numbersTable(items: readonly Report[]): Table {
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
  const rows = namesOf(items).map((range) => {
    const row: Table["rows"][number] = {
      number: range.label,
      unit: range.unit,
      range: rangeText(range),
    };
    const first = rangeOf(items[0], range.name)?.value ?? null;
    items.forEach((item, i) => {
      const found = rangeOf(item, range.name),
        own = found?.value ?? null;
      row[`v${i}`] = own ?? (found ? whyNot(found) : null);
      if (i) row[`d${i}`] = own === null || first === null ? null : own - first;
    });
    return row;
  });
  return { name: "compare", title: "Numbers and differences", columns, rows, note: null };
}

/** What is read in its cells: numbers with what they may be and the marks of the notes about them, and differences of the
 * numbers as they are shown. */
export function numberCells(items: readonly Report[]): Put {
  const names = namesOf(items);
  return (row, key) => {
    const { name, unit } = names[row]!,
      index = Number(key.slice(1)),
      found = rangeOf(items[index], name),
      first = rangeOf(items[0], name)?.value ?? null;
    if (/^d\d+$/.test(key)) return found?.value == null || first === null ? null : [differenceText(found.value, first, unit)];
    if (key === "unit") return [unitText(unit).trim()];
    if (!/^v\d+$/.test(key) || found?.value == null) return null;
    const may = found.band ? ` ${bandText(found.band, unit, "")}` : "";
    return [`${plainly(found.value, unit)}${may}`, ...noteMarks(found, items[index]!.notes ?? [], index)];
  };
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
