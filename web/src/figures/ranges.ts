/* Numbers beside their published ranges, as rows: a band for the range, a disc for the value, a triangle where it lies
 * outside. Motions share one scale, so that they compare; every measure has its own. */
import { h } from "../page/dom";
import { bandText, digits, readable, shown as asShown } from "../page/numbers";
import { goTo, type Shown } from "../page/links";
import { noteMarks } from "../page/notes";
import type { Motion, Range } from "../model";

interface Scale {
  low: number;
  high: number;
}

/** Numbers compare as they are printed, so that 134 is never above 123 to 134. */
export function side({ value, low, high, unit }: Range): "below" | "above" | null {
  if (value === null) return null;
  if (low !== null && asShown(value, unit) < asShown(low, unit)) return "below";
  return high !== null && asShown(value, unit) > asShown(high, unit) ? "above" : null;
}

function numbersOf(range: Range): number[] {
  return [range.value, range.low, range.high, ...(range.band ?? [])].filter((x) => x !== null);
}

function commonScale(ranges: readonly Range[]): Scale {
  const all = ranges.flatMap(numbersOf);
  return { low: Math.min(0, ...all) * 1.05, high: Math.max(1, ...all) * 1.05 };
}

/** Room on both sides, so that an open end of a range is seen to go on. */
function ownScale(range: Range): Scale {
  const all = numbersOf(range),
    low = Math.min(...all),
    high = Math.max(...all);
  const room = Math.max(0.3 * (high - low), 0.08 * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
  return { low: low - room, high: high + room };
}

/** "32 to 62°", "from 0.17"; empty where no range is published. */
export function rangeText({ low, high, unit }: Range): string {
  if (low !== null && high !== null) return `${digits(low, unit)} to ${readable(high, unit)}`;
  if (low !== null) return `from ${readable(low, unit)}`;
  return high !== null ? `up to ${readable(high, unit)}` : "";
}

function bar(range: Range, scale: Scale): HTMLElement {
  const place = (x: number): string => `${((100 * (x - scale.low)) / (scale.high - scale.low)).toFixed(2)}%`;
  const { value, low, high } = range,
    known = low !== null || high !== null;
  const from = place(low ?? scale.low),
    width = `calc(${place(high ?? scale.high)} - ${from})`;
  return h(
    "span",
    { class: "bar" },
    known ? h("span", { class: "band", style: `left: ${from}; width: ${width}` }) : null,
    range.band && value !== null
      ? h("span", {
          class: "whisker",
          style: `left: ${place(range.band[0])}; width: calc(${place(range.band[1])} - ${place(range.band[0])})`,
        })
      : null,
    value === null
      ? null
      : h("span", {
          class: `dot ${side(range) ?? (known ? "within" : "alone")}`,
          style: `left: ${place(value)}`,
        }),
  );
}

/** A motion without an angle is no gap in what is known: "no stop within 360°" is an answer. */
export function whyNot({ why_not, group }: Range): string {
  return group === "motion" && why_not ? why_not : `not known: ${why_not ?? "no reason is given"}`;
}

/** By how much it is outside, of the numbers as they stand there. */
function outsideBy(range: Range): string {
  const { value, low, high, unit } = range,
    limit = side(range) === "below" ? low! : high!;
  return readable(Math.abs(asShown(value!, unit) - asShown(limit, unit)), unit);
}

/** What the number may be. */
function may({ band, unit }: Range): HTMLElement[] {
  return band ? [h("span", { class: "may quiet" }, ` ${bandText(band, unit)}`)] : [];
}

function row(range: Range, scale: Scale, shown: Shown | undefined, notes: readonly string[]): HTMLElement {
  const published = rangeText(range),
    way = side(range),
    value = range.value === null ? "" : readable(range.value, range.unit);
  const certain = range.band ? ` 95 % from ${readable(range.band[0], range.unit)} to ${readable(range.band[1], range.unit)}.` : "",
    tip = `${published ? `Published: ${published}. ${range.source ?? ""}.` : "No published range."}${certain}`;
  return h(
    "li",
    { class: way ? "range outside" : "range", "data-range": range.name, "data-value": range.value, title: tip },
    h("span", { class: "name" }, shown && range.value !== null ? goTo(shown, range.label) : range.label),
    ...(range.value === null
      ? [h("span", { class: "why quiet" }, whyNot(range))]
      : [h("span", { class: "value" }, value, ...noteMarks(range, notes), ...may(range)), bar(range, scale)]),
    h(
      "span",
      { class: "published quiet" },
      way ? h("strong", {}, `${outsideBy(range)} ${way} `) : null,
      range.link && published
        ? h("a", { href: range.link, rel: "noreferrer", target: "_blank", title: range.source }, published)
        : published || (range.value === null ? "" : "no range"),
    ),
  );
}

function group(
  title: string,
  ranges: readonly Range[],
  scaleOf: (range: Range) => Scale,
  shown: (range: Range) => Shown | undefined,
  notes: readonly string[],
): HTMLElement | null {
  if (!ranges.length) return null;
  return h(
    "section",
    { class: "ranges" },
    h("h3", {}, title),
    h(
      "ul",
      {},
      ...ranges.map((range) =>
        row(
          range,
          scaleOf(range),
          shown(range),
          notes,
        ),
      ),
    ),
  );
}

/** They lead to the scene, where there is one. */
export function rangeRows(ranges: readonly Range[], moves: readonly Motion[] = [], notes: readonly string[] = []): HTMLElement {
  const motions = ranges.filter((range) => range.group === "motion"),
    common = commonScale(motions);
  return h(
    "div",
    { class: "live range-groups" },
    group(
      "Motions",
      motions,
      () => common,
      (range) => moves.find(({ name }) => name === range.name),
      notes,
    ),
    group(
      "Measures",
      ranges.filter((range) => range.group !== "motion"),
      ownScale,
      (range) => (moves.length ? range : undefined),
      notes,
    ),
  );
}
