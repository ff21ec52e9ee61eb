/* Numbers beside their published ranges: a band for the range, a dot for the value, an open triangle where it lies
 * outside. Each row has its own scale. */
import { readable, svg } from "./dom";
import type { Range } from "./model";

const WIDTH = 520,
  ROW = 44,
  FROM = 10,
  TO = 400;

function row(range: Range, index: number): SVGGElement {
  const known = [range.value, range.low, range.high].filter((x) => x !== null);
  const least = Math.min(...known),
    span = Math.max(...known) - least || 1;
  const x = (value: number): number => FROM + 40 + ((value - least) / span) * (TO - FROM - 80);
  const y = index * ROW + 30,
    { value, low, high } = range;
  const outside = value !== null && ((low !== null && value < low) || (high !== null && value > high));
  const tip =
    low === null && high === null
      ? "no published range"
      : `${low ?? ""} to ${high ?? ""}${range.unit === "deg" ? "\u00b0" : ` ${range.unit}`}, ${range.source ?? ""}`;
  const group = svg(
    "g",
    { class: outside ? "range outside" : "range", "data-range": range.name },
    svg(
      "title",
      {},
      `${range.label}: ${value === null ? (range.why_not ?? "not known") : readable(value, range.unit)} (${tip})`,
    ),
    svg("text", { x: FROM, y: y - 12 }, range.label),
    svg("text", { x: TO, y: y - 12, "text-anchor": "end", class: "quiet" }, tip),
    svg("line", { x1: FROM, x2: TO, y1: y, y2: y, stroke: "var(--line)" }),
  );
  if (low !== null && high !== null)
    group.append(
      svg("rect", {
        x: x(low),
        y: y - 5,
        width: Math.max(1, x(high) - x(low)),
        height: 10,
        rx: 3,
        fill: "var(--good)",
        opacity: 0.3,
      }),
    );
  if (value === null) group.append(svg("text", { x: TO + 12, y: y + 4, class: "quiet" }, "not known"));
  else
    group.append(
      outside
        ? svg("path", {
            d: "M0,-7 L7,6 L-7,6 Z",
            transform: `translate(${x(value)} ${y})`,
            fill: "var(--surface)",
            stroke: "var(--bad)",
            "stroke-width": 2.5,
          })
        : svg("circle", { cx: x(value), cy: y, r: 6, fill: "var(--good)" }),
      svg(
        "text",
        { x: TO + 12, y: y + 4, "font-weight": 600 },
        `${readable(value, range.unit)}${outside ? " outside" : ""}`,
      ),
    );
  return group;
}

export function rangeBars(ranges: readonly Range[]): SVGSVGElement {
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${ranges.length * ROW + 8}`,
      role: "img",
      "aria-label": `${ranges.length} numbers beside published ranges`,
    },
    ...ranges.map(row),
  );
}
