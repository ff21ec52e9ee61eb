/* Names beside the signs of landmarks: none covers another, a sign or what stands in the corners. Where there is no room beside
 * its sign a name stands farther off, and a line leads to it. */
import { drawLine, penFor, write } from "./overlay";

/** A sign in the picture, from -1 to 1 to the right and upward, with its name. */
export interface Sign {
  label: string;
  x: number;
  y: number;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const LINE = 16;
const HALF_SIGN = 8;
const GAP = 3;
/** How many lines farther off a name may stand rather than that its line crosses something. */
const CROSSING = 6;

function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

type Point = [number, number];

function turn([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
}

function cross([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/** Both diagonals: a line through a box crosses one of them. */
function through(line: [Point, Point], { left, top, width, height }: Box): boolean {
  const [right, bottom] = [left + width, top + height];
  return cross(line, [[left, top], [right, bottom]]) || cross(line, [[right, top], [left, bottom]]);
}

/** Where each name of this width stands: to the right or left of its sign, or so many lines above or below that its line
 * crosses no other name and no other line, as near as can be; null where there is no room at all. */
export function placeLabels(
  signs: readonly { x: number; y: number; width: number }[],
  width: number,
  height: number,
  taken: readonly Box[],
): (Box | null)[] {
  const middle = signs.reduce((sum, { x }) => sum + x / signs.length, 0),
    around = ({ x, y }: { x: number; y: number }): Box => ({ left: x - HALF_SIGN, top: y - HALF_SIGN, width: 2 * HALF_SIGN, height: 2 * HALF_SIGN }),
    boxes: Box[] = [...taken, ...signs.map(around)],
    names: Box[] = [],
    lines: [Point, Point][] = [];
  const within = ({ left, top, width: w, height: h }: Box): boolean => left >= 0 && top >= 0 && left + w <= width && top + h <= height;
  const found: (Box | null)[] = signs.map(() => null),
    order = signs.map((_, i) => i).sort((a, b) => signs[a]!.y - signs[b]!.y);
  for (const i of order) {
    const { x, y, width: wide } = signs[i]!,
      right = x + HALF_SIGN + GAP,
      left = x - HALF_SIGN - GAP - wide;
    let best: { box: Box; line: [Point, Point]; cost: number } | null = null;
    for (let k = 0; k < 2 * Math.ceil(height / LINE) && !(best && best.cost <= Math.ceil(k / 2)); ++k) {
      const dy = (k % 2 ? -1 : 1) * Math.ceil(k / 2) * LINE;
      for (const from of x < middle && k ? [left, right] : [right, left]) {
        const box = { left: from, top: y + dy - LINE / 2, width: wide, height: LINE };
        if (!within(box) || boxes.some((other) => overlap(box, other))) continue;
        const line: [Point, Point] = [[x, y], [from > x ? from : from + wide, y + dy]],
          crossed = dy ? lines.filter((other) => cross(line, other)).length + names.filter((other) => through(line, other)).length : 0,
          cost = Math.ceil(k / 2) + CROSSING * crossed;
        if (!best || cost < best.cost) best = { box, line, cost };
      }
    }
    if (!best) continue;
    boxes.push(best.box);
    names.push(best.box);
    lines.push(best.line);
    found[i] = best.box;
  }
  return found;
}

/** Corners that hold other things: pose and view, side, directions and scale, the key to the colours. */
function corners(width: number, height: number): Box[] {
  return [
    { left: 0, top: 0, width: Math.min(230, 0.6 * width), height: 50 },
    { left: width - 48, top: 0, width: 48, height: 44 },
    { left: 0, top: height - 96, width: 210, height: 96 },
    { left: width - 230, top: height - 110, width: 230, height: 110 },
  ];
}

export function drawLabels(context: CanvasRenderingContext2D, width: number, height: number, signs: readonly Sign[]): void {
  if (!signs.length) return;
  const pen = penFor(context);
  context.save();
  context.font = "600 13px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  const seen = signs
      .map(({ label, x, y }) => ({
        label,
        x: ((x + 1) / 2) * width,
        y: ((1 - y) / 2) * height,
        width: context.measureText(label).width + 2,
      }))
      .filter(({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height),
    boxes = placeLabels(seen, width, height, corners(width, height));
  seen.forEach(({ label, x, y }, i) => {
    const box = boxes[i];
    if (!box) return;
    const middle = box.top + box.height / 2,
      end = box.left > x ? box.left - 1 : box.left + box.width;
    if (Math.abs(middle - y) > LINE / 2) drawLine(pen, [[x, y], [end, middle]], 1);
    write(pen, label, box.left, middle);
  });
  context.restore();
}
