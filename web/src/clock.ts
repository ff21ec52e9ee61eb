/* The clock face of the cup: where it is met, how far. 12 is up; the motion on the slider is marked. */
import { h, readable, svg } from "./dom";
import { leading } from "./links";
import type { ClockMark, Contact, Motion } from "./model";

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

/** Entries lead to the motions that they are of. */
export function clockFace(
  marks: readonly ClockMark[],
  motions: readonly Motion[] = [],
): {
  element: HTMLElement;
  show: (contact: Contact | null) => void;
} {
  const longest = Math.max(1e-9, ...marks.map((mark) => Math.abs(mark.value)));
  const hand = svg("g", { class: "hand" });
  const hours = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((hour) => {
    const [x, y] = at(hour, R + 16),
      [x1, y1] = at(hour, R),
      [x2, y2] = at(hour, R - 6);
    return [
      svg("text", { x, y: y + 4, "text-anchor": "middle" }, String(hour)),
      svg("line", { x1, y1, x2, y2, stroke: "var(--muted)" }),
    ];
  });
  const length = (mark: ClockMark): number => (Math.abs(mark.value) / longest) * (R - 14);
  const bars = marks.map((mark, i) => {
    const [x, y] = at(mark.hour, length(mark)),
      color = `var(--series-${(i % 6) + 1})`;
    return svg(
      "g",
      { class: "clock-mark" },
      svg("title", {}, `${mark.label}: ${readable(mark.value, mark.unit)}`),
      svg("line", { x1: 0, y1: 0, x2: x, y2: y, stroke: color, "stroke-width": 5 }),
      svg("circle", { cx: x, cy: y, r: 9, fill: "var(--surface)", stroke: color, "stroke-width": 2 }),
      svg("text", { x, y: y + 4, "text-anchor": "middle", "font-weight": 600 }, String(i + 1)),
    );
  });
  const key = h(
    "ol",
    { class: "clock-key" },
    ...marks.map((mark, i) => {
      const item = h("li", {}, `${i + 1}. ${mark.label} at ${clockTime(mark.hour)}: ${readable(mark.value, mark.unit)}`);
      leading(
        item,
        motions.find(({ label }) => label === mark.label),
      );
      return item;
    }),
  );
  const face = svg(
    "svg",
    { viewBox: "-140 -135 280 270", role: "img", "aria-label": "Clock face of the cup" },
    svg("circle", { r: R, fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }),
    svg("circle", { r: R / 2, fill: "none", stroke: "var(--line)", "stroke-dasharray": "2 4" }),
    ...hours,
    ...bars,
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
