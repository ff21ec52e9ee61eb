/* Numbers as people write them, decided here for all of the page: whole degrees, tenths of a millimetre, whole per cent (with a
 * tenth below 10), of all else about three digits that count. Copies and files keep every digit. The drawings and tables that
 * the page comes with have the same rules (src/report/html.c). */

const MINUS = "\u2212";

export function isDegrees(unit: string): boolean {
  return unit === "deg" || unit === "\u00b0";
}

function isPercent(unit: string): boolean {
  return unit === "percent" || unit === "%";
}

/** So many digits behind the point that some of them count, at most `most`; 0 where the number is too small for that. */
function counting(size: number, digits: number, most: number): number {
  let decimals = digits - 1;
  for (; size < 0.95 && decimals < most; size *= 10) ++decimals;
  return size < 0.5 ? 0 : decimals;
}

/** Digits behind the point. A length or a small number of another unit gets as many as show that it is not 0. */
export function decimals(value: number, unit = ""): number {
  const size = Math.abs(value);
  if (isDegrees(unit)) return 0;
  if (isPercent(unit)) return size < 9.95 ? 1 : 0;
  const small = size < 0.095 ? (unit === "mm" ? counting(size, 1, 3) : counting(size, unit ? 2 : 1, 7)) : 0;
  return small || (unit === "mm" ? 1 : size < 9.95 ? 2 : size < 99.5 ? 1 : 0);
}

/** The number that is read: differences of shown numbers are those of what a reader sees. */
export function shown(value: number, unit = ""): number {
  const scale = 10 ** decimals(value, unit);
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale + 0; // no -0
}

/** Without its unit, with every digit behind the point. Ends of a scale are as fine as its length needs. */
export function digits(value: number, unit = "", scale = value): string {
  const places = decimals(scale, unit),
    size = Math.round(Math.abs(value) * 10 ** places) / 10 ** places;
  return (value < 0 && size > 0 ? MINUS : "") + size.toFixed(places);
}

/** The same, but whole numbers other than lengths have no point: for tables, which also count. */
export function plainly(value: number, unit = ""): string {
  return Number.isInteger(value) && unit !== "mm" ? String(value).replace("-", MINUS) : digits(value, unit);
}

/** "134\u00b0", "3.0 mm"; "none" where there is no number. */
export function readable(value: number | null, unit = ""): string {
  return value === null || Number.isNaN(value) ? "none" : digits(value, unit) + unitText(unit);
}

/** "(130\u2013137\u00b0)": what the number may be; a dash between numbers with a minus would be read as one. */
export function bandText([low, high]: readonly [number, number], unit = "", end = unitText(unit)): string {
  const between = low < 0 || high < 0 ? " to " : "\u2013";
  return `(${digits(low, unit)}${between}${digits(high, unit)}${end})`;
}

/** "134\u00b0 (130\u2013137\u00b0)". */
export function banded(value: number | null, band: readonly [number, number] | null | undefined, unit = ""): string {
  return readable(value, unit) + (band && value !== null ? ` ${bandText(band, unit)}` : "");
}

/** "+3", "\u22120.4", "0": between the numbers as they are shown. */
export function differenceText(to: number, from: number, unit = ""): string {
  const by = shown(to, unit) - shown(from, unit),
    text = plainly(by, unit);
  return shown(by, unit) > 0 ? `+${text}` : text;
}

/** A unit as it stands after a number. */
export function unitText(unit: string): string {
  return isDegrees(unit) ? "\u00b0" : isPercent(unit) ? " %" : unit ? ` ${unit}` : "";
}

/** A name with its unit, where it has one. */
export function withUnit(label: string, unit: string): string {
  return unit ? `${label} (${isDegrees(unit) ? "degrees" : unit})` : label;
}
