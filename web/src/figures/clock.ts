/* The clock face of the cup: where it is met, how far. 12 is up; the motion on the slider is marked. */
import { h, svg } from "../page/dom";
import { readable } from "../page/numbers";
import { leading } from "../page/links";
import { side } from "./ranges";
import type { ClockMark, Contact, Motion, Range } from "../model";

const R = 110;

function at(hour: number, radius: number): [number, number] {
  const angle = (hour / 12) * 2 * Math.PI;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

/** 1.5 is 1:30; in quarter hours, as the text has it. */
export function clockTime(hour: number): string {
  const minutes = 15 * Math.round(4 * hour),
    whole = Math.floor(minutes / 60) % 12 || 12;
  return `${whole}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Bars are never scaled beyond this: a few degrees short must look like a few degrees. */
const LEAST_SCALE = 30;
const DISC = 9;

/** Hours at which discs stand beside each other without touching, as near as can be to where they belong. */
export function spread(hours: readonly number[], apart: number): number[] {
  const order = hours.map((_, i) => i).sort((a, b) => hours[a]! - hours[b]!),
    placed = order.map((i) => hours[i]!);
  for (let round = 0; round < 200; ++round) {
    let moved = false;
    for (let k = 0; k < placed.length && placed.length > 1; ++k) {
      const next = (k + 1) % placed.length,
        gap = placed[next]! - placed[k]! + (next ? 0 : 12);
      if (gap >= apart - 1e-6) continue;
      placed[k]! -= (apart - gap) / 2;
      placed[next]! += (apart - gap) / 2;
      moved = true;
    }
    if (!moved) break;
  }
  return hours.map((_, i) => placed[order.indexOf(i)]!);
}

/** The bar of a mark: what is missing; reports that do not say that show the value. */
function lengthOf(mark: ClockMark): number {
  return mark.short_by === undefined ? Math.abs(mark.value) : (mark.short_by ?? 0);
}

/** Ranges are those of bones: with soft tissue the bones alone are compared. */
export function shortText({ label, short_by, unit }: ClockMark, ranges: readonly Range[]): string {
  if (short_by === undefined) return "";
  if (short_by === null) return ", no range is published";
  const alone = ranges.find((range) => range.label === `${label}, bones alone`),
    range = alone ?? ranges.find((each) => each.label === label),
    bones = alone ? "bones alone " : "",
    where = range && side(range) === "above" ? "above" : "within";
  return short_by > 0 ? `, ${bones}${readable(short_by, unit)} short` : `, ${bones}${where} ${bones ? "their" : "its"} range`;
}

function kindOf({ short_by }: ClockMark): string {
  return short_by === null ? "unknown" : short_by === 0 ? "enough" : "short";
}

/** A sector from the rim inward, as long as what is missing. */
function bar(mark: ClockMark, longest: number): SVGPathElement | null {
  const length = (lengthOf(mark) / longest) * (R - 20),
    half = 0.17;
  if (length < 0.5) return null;
  const corner = (hour: number, radius: number): string => at(hour, radius).map((x) => x.toFixed(1)).join(" ");
  return svg("path", {
    class: "missing",
    d: `M${corner(mark.hour - half, R)}A${R} ${R} 0 0 1 ${corner(mark.hour + half, R)}L${corner(mark.hour + half, R - length)}A${R - length} ${R - length} 0 0 0 ${corner(mark.hour - half, R - length)}Z`,
  });
}

/** Entries lead to the motions that they are of. */
export function clockFace(
  marks: readonly ClockMark[],
  motions: readonly Motion[] = [],
  ranges: readonly Range[] = [],
): {
  element: HTMLElement;
  show: (contact: Contact | null) => void;
} {
  const longest = Math.max(marks.some(({ short_by }) => short_by !== undefined) ? LEAST_SCALE : 1e-9, ...marks.map(lengthOf));
  const hand = svg("g", { class: "hand" });
  const hours = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((hour) => {
    const [x, y] = at(hour, R - 16),
      [x1, y1] = at(hour, R),
      [x2, y2] = at(hour, R - 6);
    return [
      svg("text", { x, y: y + 4, "text-anchor": "middle", class: "quiet" }, String(hour)),
      svg("line", { x1, y1, x2, y2, stroke: "var(--muted)" }),
    ];
  });
  const outside = spread(
      marks.map(({ hour }) => hour),
      (12 / Math.PI) * Math.asin((DISC + 1) / (R + 20)),
    ),
    bars = marks.map((mark) => bar(mark, longest)).filter((each) => each !== null);
  const discs = marks.map((mark, i) => {
    const [x, y] = at(outside[i]!, R + 20),
      [x1, y1] = at(mark.hour, R),
      [x2, y2] = at(outside[i]!, R + 20 - DISC);
    return svg(
      "g",
      { class: `clock-mark ${kindOf(mark)}`, "data-hour": outside[i]! },
      svg("title", {}, `${mark.label}: ${readable(mark.value, mark.unit)}${shortText(mark, ranges)}`),
      svg("line", { x1, y1, x2, y2 }),
      svg("circle", { cx: x, cy: y, r: DISC }),
      svg("text", { x, y: y + 4, "text-anchor": "middle", "font-weight": 600 }, String(i + 1)),
    );
  });
  // What misses most comes first.
  const order = marks.map((_, i) => i).sort((a, b) => (marks[b]!.short_by ?? -1) - (marks[a]!.short_by ?? -1) || a - b);
  const key = h(
    "ol",
    { class: "clock-key" },
    ...order.map((i) => {
      const mark = marks[i]!,
        item = h(
          "li",
          { class: kindOf(mark) },
          `${i + 1}. ${mark.label} at ${clockTime(mark.hour)}: ${readable(mark.value, mark.unit)}${shortText(mark, ranges)}`,
        );
      leading(
        item,
        motions.find(({ label }) => label === mark.label),
      );
      return item;
    }),
  );
  const face = svg(
    "svg",
    { viewBox: "-145 -145 290 290", role: "img", "aria-label": "Clock face of the cup" },
    svg("circle", { r: R, fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }),
    ...bars,
    ...hours,
    ...discs,
    hand,
  );
  const show = (contact: Contact | null): void => {
    hand.replaceChildren();
    if (contact?.hour == null) return;
    const [x, y] = at(contact.hour, R);
    hand.append(
      svg(
        "path",
        {
          d: "M0,-8 L8,0 L0,8 L-8,0 Z",
          transform: `translate(${x} ${y})`,
          fill: "none",
          stroke: "var(--bad)",
          "stroke-width": 3,
        },
        svg("title", {}, `Contact of this motion at ${clockTime(contact.hour)}`),
      ),
    );
  };
  return { element: h("div", { class: "live" }, face, key), show };
}
