/* The envelope as a surface over the plane of flexion and adduction: back to front on a plain canvas, so that it needs
 * no second WebGL context. Dragging or arrow keys turn it. */
import { cssColor, h } from "../page/dom";
import { readable } from "../page/numbers";
import { envelopeColor, envelopeShare, type EnvelopeRange, type Way } from "./envelope-range";
import type { Envelope } from "../model";
import { onThemeChange } from "../page/theme";

interface Quad {
  corners: [number, number][];
  depth: number;
  color: string;
}

export function surfaceView(): {
  canvas: HTMLCanvasElement;
  show: (envelope: Envelope, way: Way, range: EnvelopeRange) => void;
} {
  let turn = -0.7,
    tilt = 0.55,
    shown: [Envelope, Way, EnvelopeRange] | null = null;
  const draw = (): void => {
    if (shown) paint(canvas, ...shown, turn, tilt);
  };
  const rotate = (dx: number, dy: number): void => {
    turn += dx;
    tilt = Math.min(1.45, Math.max(0.1, tilt + dy));
    draw();
  };
  const canvas = h("canvas", {
    class: "surface",
    tabindex: 0,
    role: "img",
    "aria-label": "The envelope as a surface; arrow keys turn it",
    onpointerdown: (event: PointerEvent) => canvas.setPointerCapture(event.pointerId),
    onpointermove: (event: PointerEvent) => event.buttons && rotate(event.movementX * 0.01, event.movementY * 0.01),
    onkeydown: (event: KeyboardEvent) => {
      const step = (
        { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] } as Record<
          string,
          [number, number]
        >
      )[event.key];
      if (!step) return;
      rotate(...step);
      event.preventDefault();
    },
  });
  new ResizeObserver(draw).observe(canvas);
  onThemeChange(draw);
  return { canvas, show: (...what) => ((shown = what), draw()) };
}

function paint(
  canvas: HTMLCanvasElement,
  envelope: Envelope,
  way: Way,
  range: EnvelopeRange,
  turn: number,
  tilt: number,
): void {
  const ratio = Math.min(devicePixelRatio, 2),
    width = canvas.clientWidth,
    height = canvas.clientHeight;
  if (!width) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d")!,
    size = 0.52 * Math.min(width, 1.25 * height);
  pen.scale(ratio, ratio);
  const c = Math.cos(turn),
    s = Math.sin(turn),
    ct = Math.cos(tilt),
    st = Math.sin(tilt);
  /** Box coordinates, -0.5 to 0.5, to the screen and a depth. */
  const project = (x: number, y: number, z: number): [number, number, number] => {
    const u = c * x - s * y,
      v = s * x + c * y;
    return [width / 2 + size * u, height / 2 - size * (0.62 * z * ct + v * st) + 6, v * ct - 0.62 * z * st];
  };
  paintBox(pen, project, envelope, range);
  const quads = quadsOf(envelope, way, range, project).sort((a, b) => b.depth - a.depth);
  pen.lineJoin = "round";
  for (const quad of quads) {
    pen.beginPath();
    quad.corners.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.fillStyle = quad.color;
    pen.fill();
    pen.strokeStyle = "rgb(0 0 0 / 0.25)";
    pen.lineWidth = 0.6;
    pen.stroke();
  }
}

function quadsOf(
  envelope: Envelope,
  way: Way,
  range: EnvelopeRange,
  project: (x: number, y: number, z: number) => [number, number, number],
): Quad[] {
  const n = envelope.flexion.length - 1,
    m = envelope.adduction.length - 1,
    grid = envelope[way],
    quads: Quad[] = [];
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j < m; ++j) {
      const values = [grid[i]?.[j], grid[i + 1]?.[j], grid[i + 1]?.[j + 1], grid[i]?.[j + 1]];
      if (!values.every((v) => typeof v === "number")) continue;
      const places = values.map((v, k) =>
        project(
          (i + (k === 1 || k === 2 ? 1 : 0)) / n - 0.5,
          (j + (k > 1 ? 1 : 0)) / m - 0.5,
          envelopeShare(v, range) - 0.5,
        ),
      );
      quads.push({
        corners: places.map(([x, y]) => [x, y]),
        depth: places.reduce((sum, p) => sum + p[2], 0),
        color: envelopeColor(values.reduce((sum, v) => sum + v, 0) / 4, range) ?? "",
      });
    }
  }
  return quads;
}

function paintBox(
  pen: CanvasRenderingContext2D,
  project: (x: number, y: number, z: number) => [number, number, number],
  envelope: Envelope,
  range: EnvelopeRange,
): void {
  pen.strokeStyle = cssColor("--line");
  pen.fillStyle = cssColor("--muted");
  pen.font = "12px system-ui, sans-serif";
  pen.lineWidth = 1;
  for (let k = 0; k <= 4; ++k) {
    for (const flip of [false, true]) {
      const t = k / 4 - 0.5,
        from = flip ? project(t, -0.5, -0.5) : project(-0.5, t, -0.5),
        to = flip ? project(t, 0.5, -0.5) : project(0.5, t, -0.5);
      pen.beginPath();
      pen.moveTo(from[0], from[1]);
      pen.lineTo(to[0], to[1]);
      pen.stroke();
    }
  }
  const write = (text: string, x: number, y: number, z: number): void => {
    const place = project(x, y, z);
    pen.textAlign = "center";
    pen.fillText(text, place[0], place[1] + 4);
  };
  const { flexion, adduction } = envelope;
  write(`flexion ${readable(flexion[0]!, "deg")}`, -0.5, -0.62, -0.5);
  write(readable(flexion.at(-1)!, "deg"), 0.5, -0.62, -0.5);
  write(`adduction ${readable(adduction[0]!, "deg")}`, 0.78, -0.42, -0.5);
  write(readable(adduction.at(-1)!, "deg"), 0.62, 0.5, -0.5);
  const foot = project(-0.5, 0.5, -0.5),
    top = project(-0.5, 0.5, 0.5);
  pen.beginPath();
  pen.moveTo(foot[0], foot[1]);
  pen.lineTo(top[0], top[1]);
  pen.stroke();
  pen.fillText(`${range.above ? "\u2265 " : ""}${range.high}\u00b0 free`, top[0], top[1] - 6);
}
