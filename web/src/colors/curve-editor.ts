/* The transfer function as a drawing: values to the right, colours of the table upward. Its points are dragged by mouse or
 * finger, or moved by keys; a function that was chosen by name becomes a drawn one by that. */
import { bend, colorAt, cssRgb, levelShare, type Coloring, type CurvePoint, type Scale, type Shape } from "./colors";
import { h, svg } from "../page/dom";
import { unitText } from "../page/numbers";

const WIDTH = 240,
  HEIGHT = 84,
  /** Around the plot, so that points at its edge are whole. */
  EDGE = 8,
  STRIPS = 48,
  /** How near the pointer must be to a point to take it, and how near points may come to each other. */
  REACH = 12,
  APART = 0.01;

const PLACES: Record<Exclude<Shape, "drawn" | "threshold">, number[]> = {
  linear: [0, 0.5, 1],
  "s-curve": [0, 0.2, 0.4, 0.6, 0.8, 1],
  log: [0, 0.02, 0.08, 0.25, 0.6, 1],
};

const clamped = (x: number, low = 0, high = 1): number => Math.min(high, Math.max(low, x));
const toX = (at: number): number => EDGE + at * (WIDTH - 2 * EDGE);
const toY = (color: number): number => HEIGHT - EDGE - color * (HEIGHT - 2 * EDGE);

/** The points of a function, also of one that was chosen by name; a threshold has one, which moves to the sides only. */
export function pointsOf(scale: Scale): readonly CurvePoint[] {
  const { shape, points } = scale;
  if (shape === "threshold") return [[clamped(levelShare(scale)), 0.5]];
  return shape === "drawn" && points.length > 1
    ? points
    : PLACES[shape === "drawn" ? "linear" : shape].map((at): CurvePoint => [at, bend(shape, points, at)]);
}

/** A point moved as far as its neighbours let it; the outer ones stay at the ends. */
export function movedPoint(points: readonly CurvePoint[], index: number, at: number, color: number): CurvePoint[] {
  const before = points[index - 1]?.[0],
    after = points[index + 1]?.[0];
  const x = before === undefined ? 0 : after === undefined ? 1 : clamped(at, before + APART, after - APART);
  return points.map((point, i) => (i === index ? [x, clamped(color)] : point));
}

/** Where a new point would go, or -1 where it has no place. */
export function placeFor(points: readonly CurvePoint[], at: number): number {
  const index = points.findIndex(([x]) => x > at);
  return index > 0 && at - points[index - 1]![0] > APART && points[index]![0] - at > APART ? index : -1;
}

export class CurveEditor {
  private readonly strips = Array.from({ length: STRIPS }, () =>
    svg("rect", { width: (WIDTH - 2 * EDGE) / STRIPS + 0.4 }),
  );
  private readonly line = svg("polyline", { class: "curve-line", fill: "none" });
  private readonly handles = svg("g");
  private readonly drawing = svg(
    "svg",
    {
      class: "curve-editor",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label":
        "Transfer function. Drag its points, or move the one in focus by arrow keys; Enter adds one, Delete removes it.",
    },
    svg("rect", { class: "curve-ground", x: EDGE, y: EDGE, width: WIDTH - 2 * EDGE, height: HEIGHT - 2 * EDGE }),
    ...this.strips,
    this.line,
    this.handles,
  );
  readonly element = h("div", { class: "curve-box" }, this.drawing);
  private scale: Scale | null = null;
  private unit = "";
  private dragged = -1;

  constructor(private readonly change: (changed: Partial<Coloring>) => void) {
    this.drawing.addEventListener("pointerdown", (event) => this.take(event));
    this.drawing.addEventListener("pointermove", (event) => this.dragged >= 0 && this.drag(event));
    for (const end of ["pointerup", "pointercancel"] as const)
      this.drawing.addEventListener(end, () => (this.dragged = -1));
    this.handles.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
  }

  show(scale: Scale, unit: string): void {
    this.scale = scale;
    this.unit = unit;
    const floor = HEIGHT - EDGE,
      heights = this.strips.map((_, i) => this.heightAt((i + 0.5) / STRIPS));
    this.strips.forEach((strip, i) => {
      const y = toY(heights[i]!);
      strip.setAttribute("x", String(toX(i / STRIPS)));
      strip.setAttribute("y", String(y));
      strip.setAttribute("height", String(Math.max(0, floor - y)));
      strip.setAttribute("fill", cssRgb(colorAt(scale, (i + 0.5) / STRIPS)));
    });
    const level = levelShare(scale),
      line: CurvePoint[] =
        scale.shape === "threshold"
          ? [
              [0, 0.25],
              [clamped(level), 0.25],
              [clamped(level), 1],
              [1, 1],
            ]
          : Array.from({ length: 97 }, (_, i): CurvePoint => [i / 96, this.heightAt(i / 96)]);
    this.line.setAttribute("points", line.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" "));
    this.drawing.dataset["shape"] = scale.shape;
    this.showHandles();
  }

  private heightAt(t: number): number {
    const { shape, points } = this.scale!;
    if (shape === "threshold") return t < levelShare(this.scale!) ? 0.25 : 1;
    return bend(shape === "drawn" && points.length < 2 ? "linear" : shape, points, t);
  }

  /** Handles are kept as far as possible: one of them may have the focus. */
  private showHandles(): void {
    const points = pointsOf(this.scale!),
      handles = this.handles;
    while (handles.childElementCount > points.length) handles.lastElementChild!.remove();
    while (handles.childElementCount < points.length)
      handles.append(
        svg(
          "g",
          { class: "curve-point", role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": 100 },
          svg("circle", { class: "reach", r: REACH }),
          svg("circle", { r: 5 }),
        ),
      );
    points.forEach((point, i) => this.showHandle(handles.children[i]!, point, i, points.length));
  }

  private showHandle(handle: Element, [at, color]: CurvePoint, index: number, count: number): void {
    const { low, high, shape } = this.scale!,
      value = `${Number((low + at * (high - low)).toPrecision(3))}${unitText(this.unit)}`,
      isLevel = shape === "threshold";
    handle.setAttribute("transform", `translate(${toX(at).toFixed(1)} ${toY(color).toFixed(1)})`);
    handle.setAttribute("aria-label", isLevel ? "Threshold" : `Point ${index + 1} of ${count}`);
    handle.setAttribute("aria-valuenow", String(Math.round(100 * (isLevel ? at : color))));
    handle.setAttribute("aria-valuetext", isLevel ? value : `${value}: ${Math.round(100 * color)} % of the colours`);
  }

  private put(points: readonly CurvePoint[], index: number, at: number, color: number): void {
    const { shape, low, high } = this.scale!;
    if (shape === "threshold") this.change({ level: low + clamped(at) * (high - low) });
    else this.change({ shape: "drawn", points: movedPoint(points, index, at, color) });
  }

  /** Where an event lies, in shares of the plot. */
  private place(event: PointerEvent): [number, number] {
    const box = this.drawing.getBoundingClientRect(),
      x = ((event.clientX - box.left) / box.width) * WIDTH,
      y = ((event.clientY - box.top) / box.height) * HEIGHT;
    return [(x - EDGE) / (WIDTH - 2 * EDGE), (HEIGHT - EDGE - y) / (HEIGHT - 2 * EDGE)];
  }

  /** The point under the pointer, or else a new one there. */
  private take(event: PointerEvent): void {
    if (!this.scale || event.button !== 0) return;
    const points = pointsOf(this.scale),
      [at, color] = this.place(event);
    const distance = ([x, y]: CurvePoint): number => Math.hypot(toX(x) - toX(at), toY(y) - toY(color));
    let index = points.findIndex((each) => distance(each) <= REACH);
    if (this.scale.shape === "threshold") index = 0;
    else if (index < 0) {
      index = placeFor(points, at);
      if (index < 0) return;
      this.change({ shape: "drawn", points: points.toSpliced(index, 0, [clamped(at), clamped(color)]) });
    }
    event.preventDefault();
    this.drawing.setPointerCapture(event.pointerId);
    this.dragged = index;
    this.drag(event);
    (this.handles.children[index] as SVGElement | undefined)?.focus();
  }

  private drag(event: PointerEvent): void {
    this.put(pointsOf(this.scale!), this.dragged, ...this.place(event));
  }

  private key(event: KeyboardEvent): void {
    const index = [...this.handles.children].indexOf(event.target as Element),
      points = pointsOf(this.scale!),
      [at, color] = points[index] ?? [0, 0],
      step = event.shiftKey ? 0.1 : 0.02;
    const isLevel = this.scale!.shape === "threshold";
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: isLevel ? [step, 0] : [0, step],
      ArrowDown: isLevel ? [-step, 0] : [0, -step],
    };
    const move = moves[event.key];
    if (move) this.put(points, index, at + move[0], color + move[1]);
    else if (event.key === "Enter" && !isLevel) this.addBeside(points, index);
    else if ((event.key === "Delete" || event.key === "Backspace") && !isLevel) this.remove(points, index);
    else return;
    event.preventDefault();
  }

  private addBeside(points: readonly CurvePoint[], index: number): void {
    const [a, b] =
        index + 1 < points.length ? [points[index]!, points[index + 1]!] : [points[index - 1]!, points[index]!],
      at = (a[0] + b[0]) / 2,
      place = placeFor(points, at);
    if (place < 0) return;
    this.change({ shape: "drawn", points: points.toSpliced(place, 0, [at, (a[1] + b[1]) / 2]) });
    (this.handles.children[place] as SVGElement).focus();
  }

  private remove(points: readonly CurvePoint[], index: number): void {
    if (index <= 0 || index >= points.length - 1) return;
    this.change({ shape: "drawn", points: points.toSpliced(index, 1) });
    (this.handles.children[index - 1] as SVGElement).focus();
  }
}
