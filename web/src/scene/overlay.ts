/* What every picture of a scene needs to be read: which way is up, which side it is, how large, in which pose. Drawn on the
 * scene, into saved pictures and onto paper by the same pen. */
import * as THREE from "three";
import { cssColor } from "../page/dom";
import type { Frame } from "../model";

/** Letters at the two ends of the axes of the view: x to the patient's right, y up, z backward. */
type Letters = [string, string][];

/** Patients have sides and a front; without a joint only the axes of the world are known. */
function lettersOf(frame: Frame): Letters | null {
  if (frame.whole)
    return [
      ["x", ""],
      ["z", ""],
      ["", "y"],
    ];
  if (frame.looks) return null;
  return [
    ["R", "L"],
    ["S", "I"],
    ["P", "A"],
  ];
}

/** R or L; empty where the side is not known. */
export function sideLetter({ looks, letter, side }: Frame): string {
  if (looks) return letter ?? "";
  return side === "right" ? "R" : "L";
}

/** From where the camera looks, in words of anatomy; empty where there are none. */
export function viewWords(frame: Frame, from: THREE.Vector3): string {
  if (frame.looks) return "";
  const outward = frame.side === "right" ? 1 : -1,
    { x, y, z } = from.clone().normalize();
  const parts: [number, string][] = [
    [Math.abs(z), z < 0 ? "anterior" : "posterior"],
    [Math.abs(x), x * outward > 0 ? "lateral" : "medial"],
    [Math.abs(y), y > 0 ? "superior" : "inferior"],
  ];
  const named = parts.filter(([size]) => size > 0.34).sort((a, b) => b[0] - a[0]);
  return `seen from ${named
    .slice(0, 2)
    .map(([, word]) => word)
    .join(" and ")}`;
}

/** The longest round length that takes at most this much. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2].find((x) => x * power <= most) ?? 1);
}

export interface Sight {
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  /** Where the camera looks. */
  target: THREE.Vector3;
}

function pixelsPerMm({ camera, target }: Sight, height: number): number {
  if (camera instanceof THREE.PerspectiveCamera)
    return height / (2 * camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360));
  return (height * camera.zoom) / (camera.top - camera.bottom);
}

export interface Pen {
  context: CanvasRenderingContext2D;
  ink: string;
  ground: string;
}

/** The pen of this page, light or dark. */
export function penFor(context: CanvasRenderingContext2D): Pen {
  return { context, ink: cssColor("--ink"), ground: cssColor("--scene") };
}

export function write({ context, ink, ground }: Pen, text: string, x: number, y: number): void {
  context.lineWidth = 3.5;
  context.lineJoin = "round";
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
}

export function drawLine({ context, ink, ground }: Pen, points: [number, number][], width = 1.6): void {
  for (const [color, wide] of [
    [ground, width + 2.4],
    [ink, width],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = wide;
    context.lineCap = "round";
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
  }
}

/** The axes as they lie on the screen, far ends first. */
function drawMarker(pen: Pen, letters: Letters, camera: THREE.Camera, x: number, y: number): void {
  const reach = 24,
    turn = camera.quaternion.clone().invert();
  const ends = letters
    .flatMap(([plus, minus], axis) =>
      [plus, minus].map((letter, k) => ({
        letter,
        at: new THREE.Vector3().setComponent(axis, k ? -1 : 1).applyQuaternion(turn),
      })),
    )
    .sort((a, b) => a.at.z - b.at.z);
  pen.context.textAlign = "center";
  pen.context.textBaseline = "middle";
  for (const { letter, at } of ends) {
    if (!letter) continue;
    const near = at.z > -0.5;
    pen.context.globalAlpha = near ? 1 : 0.45;
    drawLine(pen, [
      [x, y],
      [x + reach * at.x, y - reach * at.y],
    ]);
    pen.context.font = "600 13px system-ui, sans-serif";
    write(pen, letter, x + (reach + 9) * at.x, y - (reach + 9) * at.y);
  }
  pen.context.globalAlpha = 1;
}

function drawScale(pen: Pen, perMm: number, x: number, y: number, most: number): void {
  const mm = roundLength(most / perMm),
    length = mm * perMm;
  drawLine(pen, [
    [x, y - 4],
    [x, y],
    [x + length, y],
    [x + length, y - 4],
  ]);
  pen.context.font = "12px system-ui, sans-serif";
  pen.context.textAlign = "left";
  pen.context.textBaseline = "alphabetic";
  write(pen, mm >= 10 ? `${mm / 10} cm` : `${mm} mm`, x, y - 8);
}

/** In lines that are no longer than that, where words allow it. */
function wrapped(context: CanvasRenderingContext2D, text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && context.measureText(longer).width <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Everything into a rectangle of so many pixels, with the bottom so far up; `lines` stand at its top left. */
export function annotate(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  frame: Frame,
  sight: Sight,
  lines: readonly string[],
  up = 0,
): void {
  const pen = penFor(context),
    letters = lettersOf(frame),
    bottom = height - up,
    small = width < 400;
  context.save();
  if (letters) drawMarker(pen, letters, sight.camera, 44, bottom - 46);
  drawScale(pen, pixelsPerMm(sight, height), letters ? 96 : 12, bottom - 14, Math.min(110, 0.2 * width));
  const letter = sideLetter(frame);
  if (letter) {
    context.font = `700 ${small ? 18 : 26}px system-ui, sans-serif`;
    context.textAlign = "right";
    context.textBaseline = "top";
    write(pen, letter, width - 12, 10);
  }
  context.font = "13px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "top";
  const room = width - 24 - (letter ? (small ? 24 : 34) : 0);
  lines.flatMap((line) => wrapped(context, line, room)).forEach((line, i) => write(pen, line, 12, 10 + 17 * i));
  context.restore();
}
