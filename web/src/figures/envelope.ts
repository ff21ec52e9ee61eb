/* The envelope as a map: rotation free of contact over flexion and adduction. Hover or arrow keys read it, a press or
 * Enter takes the femur there. */
import { cssRgb, tableColor } from "../colors/colors";
import { contourLines } from "./contour";
import { freshId, h, svg } from "../page/dom";
import { digits, readable } from "../page/numbers";
import { CONTOURS, cellWords, envelopeColor, envelopeRange, type EnvelopeRange, type Way } from "./envelope-range";
import { surfaceView } from "./envelope-surface";
import type { Envelope, Place } from "../model";

const WIDTH = 420,
  HEIGHT = 330,
  LEFT = 46,
  TOP = 8,
  RIGHT = 76,
  BOTTOM = 40;

function ticks(values: readonly number[], every: number): number[] {
  return values.filter((x) => Math.abs(x / every - Math.round(x / every)) < 1e-9);
}

/** A plain map; `onCell` hears of the cell under the pointer or the keys, `onPress` of the chosen one. */
export function heatMap(
  envelope: Envelope,
  way: Way,
  range: EnvelopeRange,
  label: string,
  onCell: (i: number, j: number) => void,
  onPress: (i: number, j: number) => void,
): SVGSVGElement {
  const { flexion, adduction } = envelope,
    rows = adduction.length,
    columns = flexion.length;
  const w = (WIDTH - LEFT - RIGHT) / columns,
    hgt = (HEIGHT - TOP - BOTTOM) / rows,
    hatch = freshId();
  const x = (i: number): number => LEFT + i * w,
    y = (j: number): number => TOP + (rows - 1 - j) * hgt;
  const cells = flexion.map((_, i) =>
    adduction.map((__, j) =>
      svg("rect", {
        class: "cell",
        x: x(i).toFixed(2),
        y: y(j).toFixed(2),
        width: (w + 0.3).toFixed(2),
        height: (hgt + 0.3).toFixed(2),
        fill: envelopeColor(envelope[way][i]?.[j] ?? null, range) ?? `url(#${hatch})`,
        "data-i": i,
        "data-j": j,
      }),
    ),
  );
  const drawing = overMap(envelope, way, w, hgt);
  const map = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      tabindex: 0,
      role: "application",
      "aria-label": label,
      class: "heat-map",
      "shape-rendering": "crispEdges",
    },
    svg(
      "defs",
      {},
      svg(
        "pattern",
        { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        svg("rect", { width: 6, height: 6, fill: "var(--surface)" }),
        svg("line", {
          x1: 0,
          y1: 0,
          x2: 0,
          y2: 6,
          stroke: "var(--muted)",
          "stroke-width": 2.5,
          "shape-rendering": "auto",
        }),
      ),
    ),
    ...cells.flat(),
    drawing,
    ...ticks(flexion, 30).map((v) =>
      svg("text", { x: x(flexion.indexOf(v)) + w / 2, y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, digits(v, "deg")),
    ),
    ...ticks(adduction, 20).map((v) =>
      svg("text", { x: LEFT - 6, y: y(adduction.indexOf(v)) + hgt / 2 + 4, "text-anchor": "end" }, digits(v, "deg")),
    ),
    svg(
      "text",
      { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle", class: "quiet" },
      "Flexion (degrees)",
    ),
    svg(
      "text",
      { x: -(TOP + HEIGHT - BOTTOM) / 2, y: 12, "text-anchor": "middle", transform: "rotate(-90)", class: "quiet" },
      "Adduction (degrees)",
    ),
    colorBar(range),
  );
  let at: [number, number] = [0, 0];
  const move = (i: number, j: number): void => {
    if (i < 0 || j < 0 || i >= columns || j >= rows) return;
    cells[at[0]]?.[at[1]]?.classList.remove("at");
    at = [i, j];
    const cell = cells[i]![j]!;
    cell.classList.add("at");
    drawing.before(cell); // above its neighbours, so that its frame is whole
    onCell(i, j);
  };
  const under = (event: Event): [number, number] | null => {
    const data = (event.target as Element).closest<SVGElement>(".cell")?.dataset;
    return data ? [Number(data["i"]), Number(data["j"])] : null;
  };
  map.addEventListener("pointermove", (event) => {
    const cell = under(event);
    if (cell && (cell[0] !== at[0] || cell[1] !== at[1])) move(...cell);
  });
  map.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) (move(...cell), onPress(...cell));
  });
  map.addEventListener("keydown", (event) => {
    const [di, dj] = (
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] } as Record<
        string,
        [number, number]
      >
    )[event.key] ?? [0, 0];
    if (di || dj) move(at[0] + di, at[1] + dj);
    else if (event.key === "Enter" || event.key === " ") onPress(...at);
    else return;
    event.preventDefault();
  });
  return map;
}

/** A place between the nodes of the grid, in columns or rows. */
function between(nodes: readonly number[], value: number): number {
  return nodes.length > 1 ? (value - nodes[0]!) / (nodes[1]! - nodes[0]!) : 0;
}

function clamp(x: number, most: number): number {
  return Math.min(most, Math.max(0, x));
}

/** Lines of equal rotation with their numbers, and where people go. */
function overMap(envelope: Envelope, way: Way, w: number, hgt: number): SVGGElement {
  const { flexion, adduction, places = [] } = envelope,
    rows = adduction.length,
    x = (i: number): number => LEFT + (clamp(i, flexion.length - 1) + 0.5) * w,
    y = (j: number): number => TOP + (rows - 0.5 - clamp(j, rows - 1)) * hgt;
  const across = (place: Place): [number, number] => place.flexion.map((value) => x(between(flexion, value))) as [number, number],
    upright = (place: Place): [number, number] => place.adduction.map((value) => y(between(adduction, value))) as [number, number],
    isPoint = (place: Place): boolean => across(place)[1] - across(place)[0] < 4;
  /** The name of a place. */
  const named = places.map((place, k): [number, number] => {
    const [x1, x2] = across(place),
      [y2, y1] = upright(place),
      // As on paper (src/report/svg/svg_envelope.c): below its sign where the label of a later one would touch it.
      crowded = places.slice(k + 1).some((other) => Math.abs(across(other)[0] - x1) < 54 && Math.abs(upright(other)[0] - y2) < 14);
    return isPoint(place) ? [x1, crowded ? y1 + 18 : y1 - 8] : [(x1 + x2) / 2, y1 + 13];
  });
  const taken = named.map(([a, b]) => ({ x: a, y: b, half: 40 }));
  /** Whether a number has room there. */
  const isFree = (a: number, b: number): boolean =>
    a > LEFT + 12 && a < x(flexion.length - 1) - 10 && taken.every((other) => Math.abs(other.x - a) > other.half || Math.abs(other.y - b) > 13);
  const lines = CONTOURS.map((level, k) => {
    const segments = contourLines(envelope[way], level),
      d = segments.map(([a, b, c, e]) => `M${x(a).toFixed(1)} ${y(b).toFixed(1)}L${x(c).toFixed(1)} ${y(e).toFixed(1)}`);
    // Lines run beside each other: each has its number at another height.
    const rising = segments.toSorted(([, b], [, e]) => b - e),
      wanted = Math.floor((0.25 + 0.17 * k) * rising.length),
      nearest = rising.map((_, i) => i).sort((i, j) => Math.abs(i - wanted) - Math.abs(j - wanted)),
      first = rising[nearest.find((i) => isFree(x(rising[i]![0]), y(rising[i]![1]) + 4)) ?? -1];
    if (first) taken.push({ x: x(first[0]), y: y(first[1]) + 4, half: 28 });
    return svg(
      "g",
      { class: "contour", "data-level": level },
      svg("path", { d: d.join(""), class: "halo" }),
      svg("path", { d: d.join(""), "stroke-width": level === 0 ? 2.4 : 1.2 }),
      ...(first ? [svg("text", { x: x(first[0]), y: y(first[1]) + 4, "text-anchor": "middle" }, `${level}\u00b0`)] : []),
    );
  });
  const signs = places.map((place, k) => {
    const [x1, x2] = across(place),
      [y2, y1] = upright(place);
    return svg(
      "g",
      { class: "place", "data-place": place.name },
      svg("title", {}, `${place.label}: ${place.source}`),
      isPoint(place)
        ? svg("circle", { cx: x1, cy: y1, r: 4.5 })
        : svg("rect", { x: x1, y: y1, width: x2 - x1, height: y2 - y1, rx: 3 }),
      svg(
        "text",
        { x: named[k]![0], y: named[k]![1], "text-anchor": "middle" },
        place.label,
      ),
    );
  });
  return svg("g", { class: "over-map", "shape-rendering": "auto", "pointer-events": "none" }, ...lines, ...signs);
}

/** The rotation that is left at the place where a motion needs most of it; null: none is free. */
export function leftAt(envelope: Envelope, way: Way, place: Place): number | null {
  const { flexion, adduction } = envelope,
    inside = (nodes: readonly number[], [from, to]: [number, number]): number[] => {
      const [a, b] = [from, to].map((value) => Math.round(clamp(between(nodes, value), nodes.length - 1))) as [number, number];
      return Array.from({ length: b - a + 1 }, (_, k) => a + k);
    };
  const values = inside(flexion, place.flexion).flatMap((i) =>
    inside(adduction, place.adduction).map((j) => envelope[way][i]?.[j] ?? null),
  );
  return values.includes(null) ? null : Math.min(...(values as number[]));
}

/** What people do, with what is left there; a press goes to the middle of it. */
function placeList(
  envelope: Envelope,
  goTo: ((flexion: number, adduction: number, rotation: number) => void) | null,
): HTMLElement | null {
  if (!envelope.places?.length) return null;
  const words = (place: Place): string => {
    const [inward, outward] = [leftAt(envelope, "internal", place), leftAt(envelope, "external", place)],
      text = (x: number | null): string => (x === null ? "none" : readable(x, "deg"));
    return inward === null && outward === null ? "no rotation is free" : `${text(inward)} inward, ${text(outward)} outward`;
  };
  return h(
    "ul",
    { class: "places", "aria-label": "Rotation that is left in everyday poses" },
    ...envelope.places.map((place) => {
      const middle = ([a, b]: [number, number]): number => (a + b) / 2,
        text = [`${place.label} `, h("b", {}, words(place))];
      return h(
        "li",
        { title: place.source, "data-place": place.name },
        goTo
          ? h(
              "button",
              {
                type: "button",
                class: "goto",
                title: "Show this in the scene",
                onclick: () => goTo(middle(place.flexion), middle(place.adduction), 0),
              },
              ...text,
            )
          : h("span", {}, ...text),
      );
    }),
  );
}

function colorBar(range: EnvelopeRange): SVGGElement {
  const height = HEIGHT - TOP - BOTTOM,
    steps = 32;
  const bar = Array.from({ length: steps }, (_, k) =>
    svg("rect", {
      x: WIDTH - 64,
      y: TOP + (height * (steps - 1 - k)) / steps,
      width: 14,
      height: height / steps + 0.5,
      fill: cssRgb(tableColor("viridis", k / (steps - 1))),
    }),
  );
  const label = (t: number, beyond: string): SVGTextElement =>
    svg(
      "text",
      { x: WIDTH - 46, y: TOP + height * (1 - t) + (t === 1 ? 10 : t === 0 ? 0 : 4) },
      `${beyond}${Math.round(range.low + t * (range.high - range.low))}\u00b0`.replace("-", "\u2212"),
    );
  return svg(
    "g",
    { class: "color-bar" },
    svg("title", {}, range.below || range.above ? "Values beyond the ends have the end's colour" : "Degrees"),
    ...bar,
    label(0, range.below ? "\u2264" : ""),
    ...[0.25, 0.5, 0.75].map((t) => label(t, "")),
    label(1, range.above ? "\u2265" : ""),
  );
}

/** Map and surface with their switches. `goTo` takes the scene to a pose; null where the model does not allow it. */
export function envelopePlot(
  envelope: Envelope,
  goTo: ((flexion: number, adduction: number, rotation: number) => void) | null,
): HTMLElement {
  const name = freshId(),
    readout = h("p", { class: "readout", role: "status" });
  const place = h("div"),
    surface = surfaceView();
  let way: Way = "internal";
  const atLimit = h("input", { type: "checkbox", name: "at-limit" });
  const draw = (): void => {
    const range = envelopeRange([envelope], way);
    readout.textContent = goTo ? "Point at the map to read it, press to go there." : "Point at the map to read it.";
    place.replaceChildren(
      heatMap(
        envelope,
        way,
        range,
        `Free ${way} rotation over flexion and adduction; arrow keys read it`,
        (i, j) => {
          const value = envelope[way][i]?.[j] ?? null;
          readout.textContent = `Flexion ${readable(envelope.flexion[i]!, "deg")}, adduction ${readable(envelope.adduction[j]!, "deg")}: ${cellWords(envelope, way, i, j)}`;
          Object.assign(readout.dataset, { i, j, value });
        },
        (i, j) => {
          const free = envelope[way][i]?.[j] ?? 0;
          goTo?.(
            envelope.flexion[i]!,
            envelope.adduction[j]!,
            atLimit.checked ? (way === "internal" ? free : -free) : 0,
          );
        },
      ),
    );
    surface.show(envelope, way, range);
  };
  const radio = (each: Way, label: string): HTMLElement => {
    const input = h("input", { type: "radio", name, value: each, onchange: () => ((way = each), draw()) });
    input.checked = each === way;
    return h("label", {}, input, " ", label);
  };
  draw();
  return h(
    "div",
    { class: "live" },
    h(
      "div",
      { class: "row", role: "radiogroup", "aria-label": "Rotation" },
      radio("internal", "Internal rotation"),
      radio("external", "External rotation"),
      goTo ? h("label", {}, atLimit, " go to the limit") : null,
    ),
    h("div", { class: "beside" }, place, surface.canvas),
    readout,
    placeList(envelope, goTo),
  );
}
