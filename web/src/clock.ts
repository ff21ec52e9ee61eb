/* The clock face of the cup: where it is met, how far. 12 is up; the motion on the slider is marked. */
import { readable, svg } from "./dom";
import type { ClockMark, Contact } from "./model";

const R = 110;

function at(hour: number, radius: number): [number, number] {
  const angle = (hour / 12) * 2 * Math.PI;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

export function clockFace(marks: readonly ClockMark[]): { element: SVGSVGElement; show: (contact: Contact | null) => void } {
  const longest = Math.max(1e-9, ...marks.map((mark) => Math.abs(mark.value)));
  const hand = svg("g", { class: "hand" });
  const hours = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((hour) => {
    const [x, y] = at(hour, R + 16), [x1, y1] = at(hour, R), [x2, y2] = at(hour, R - 6);
    return [svg("text", { x, y: y + 4, "text-anchor": "middle" }, String(hour)), svg("line", { x1, y1, x2, y2, stroke: "var(--muted)" })];
  });
  const bars = marks.map((mark, i) => {
    const [x2, y2] = at(mark.hour, (Math.abs(mark.value) / longest) * (R - 12)), color = `var(--series-${(i % 6) + 1})`;
    const [lx, ly] = at(mark.hour, Math.max(30, (Math.abs(mark.value) / longest) * (R - 12)) + 2), leftwards = lx > 0;
    return svg("g", { class: "clock-mark" },
      svg("title", {}, `${mark.label}: ${readable(mark.value, mark.unit)}`),
      svg("line", { x1: 0, y1: 0, x2, y2, stroke: color, "stroke-width": 7, "stroke-linecap": "round", "stroke-dasharray": i % 2 ? "1 10" : "none" }),
      svg("text", { x: lx + (leftwards ? 10 : -10), y: ly + 4, "text-anchor": leftwards ? "start" : "end", "paint-order": "stroke", stroke: "var(--surface)", "stroke-width": 3 }, `${mark.label} ${readable(mark.value, mark.unit)}`));
  });
  const element = svg("svg", { viewBox: "-215 -140 430 280", role: "img", "aria-label": `Clock face: ${marks.map((m) => `${m.label} at ${readable(m.hour)}: ${readable(m.value, m.unit)}`).join("; ")}` },
    svg("circle", { r: R, fill: "none", stroke: "var(--line)", "stroke-width": 1.5 }), svg("circle", { r: R / 2, fill: "none", stroke: "var(--line)", "stroke-dasharray": "2 4" }),
    ...hours, ...bars, hand);
  const show = (contact: Contact | null): void => {
    hand.replaceChildren();
    if (contact?.hour == null) return;
    const [x, y] = at(contact.hour, R);
    hand.append(svg("path", { d: "M0,-8 L8,0 L0,8 L-8,0 Z", transform: `translate(${x} ${y})`, fill: "none", stroke: "var(--bad)", "stroke-width": 3 }, svg("title", {}, `Contact of this motion at ${readable(contact.hour)} o'clock`)));
  };
  return { element, show };
}
