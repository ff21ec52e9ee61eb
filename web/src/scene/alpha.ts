/* The alpha angle as it is measured, drawn over the plane through the neck in which it is largest: the circle of the head, the
 * axis of the neck, the ray to where the contour leaves the circle, and that place. */
import * as THREE from "three";
import { clockTime } from "../figures/clock";
import { readable } from "../page/numbers";
import type { Joint } from "./joint";
import type { Alpha } from "../model";
import { drawLine, penFor, write, type Sight } from "./overlay";

/** Across the plane, so that 12 o'clock is up and the neck to the side: unit, on the femur as it lies. */
export function alphaNormal({ axis, away }: Alpha): THREE.Vector3 {
  return new THREE.Vector3(...axis).cross(new THREE.Vector3(...away)).normalize();
}

/** The plane of the construction where the femur is now, in coordinates of the view. */
export function alphaPlane(joint: Joint, alpha: Alpha, offset: number): THREE.Vector4 {
  const place = toView(joint),
    normal = alphaNormal(alpha).transformDirection(place),
    center = inJoint(joint, alpha.center).applyMatrix4(place);
  return new THREE.Vector4(normal.x, normal.y, normal.z, normal.dot(center) + offset);
}

function toView(joint: Joint): THREE.Matrix4 {
  return joint.fixed.matrix.clone().multiply(joint.moving.matrix);
}

function inJoint({ origin }: Joint, [x, y, z]: readonly number[]): THREE.Vector3 {
  return new THREE.Vector3(x! - origin[0], y! - origin[1], z! - origin[2]);
}

/** Polar coordinates about the centre of the head: degrees from the axis of the neck, mm. */
function placer(joint: Joint, { center, axis, away }: Alpha): (degrees: number, radius: number) => THREE.Vector3 {
  const place = toView(joint),
    middle = inJoint(joint, center),
    [a, b] = [axis, away].map((each) => new THREE.Vector3(...each)) as [THREE.Vector3, THREE.Vector3];
  return (degrees, radius) => {
    const angle = (degrees * Math.PI) / 180;
    return middle
      .clone()
      .addScaledVector(a, radius * Math.cos(angle))
      .addScaledVector(b, radius * Math.sin(angle))
      .applyMatrix4(place);
  };
}

export function drawAlpha(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  joint: Joint,
  alpha: Alpha,
  { camera }: Sight,
): void {
  const at = placer(joint, alpha),
    { radius_mm: radius, alpha_deg: angle, hour } = alpha,
    pen = penFor(context);
  camera.updateMatrixWorld();
  const onScreen = (place: THREE.Vector3): [number, number] => {
    const { x, y } = place.project(camera);
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  };
  const arc = (from: number, to: number, r: number): [number, number][] =>
    Array.from({ length: 73 }, (_, i) => onScreen(at(from + ((to - from) * i) / 72, r)));
  context.save();
  drawLine(pen, arc(0, 360, radius));
  drawLine(pen, [onScreen(at(180, 0.15 * radius)), onScreen(at(0, 2.6 * radius))]);
  drawLine(pen, [onScreen(at(0, 0)), onScreen(at(angle, 1.35 * radius))]);
  drawLine(pen, arc(0, angle, 0.45 * radius), 2.4);
  const [x, y] = onScreen(at(angle, radius));
  context.fillStyle = "#c2261b";
  context.strokeStyle = pen.ground;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 5.5, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.font = "600 15px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const [tx, ty] = onScreen(at(angle / 2, 0.72 * radius));
  write(pen, `\u03b1 ${readable(angle, "deg")}`, tx, ty);
  context.font = "13px system-ui, sans-serif";
  context.textAlign = "left";
  write(pen, `largest \u03b1, at ${clockTime(hour)}`, 12, 52);
  context.restore();
}
