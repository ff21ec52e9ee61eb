/* How two bones differ, as a field on the second: how far its surface lies outside (above 0) or inside the first one's. Bodies are
 * laid on each other by the frames of their joints, bodies that move by their own axes; a left one is mirrored onto a right one. */
import * as THREE from "three";
import { MeshBVH } from "three-mesh-bvh";
import { addField, fieldsOf } from "../colors/fields";
import type { Joint, Part } from "../scene/joint";
import type { Field, Frame, Report, Vec3 } from "../model";

export const DIFFERENCE = "difference_mm";
/** Colours span this much to either side. */
const SPAN_MM = 3;

/** The scene to right, forward and up of a body, about the centre of its joint; x is outward on either side. */
export function bodyFrame(frame: Frame, moves: boolean): THREE.Matrix4 {
  const sense = frame.side === "right" ? 1 : -1,
    own = moves ? frame.joint?.femur : undefined,
    along = ([x, y, z]: Vec3, sign = 1): THREE.Vector3 => new THREE.Vector3(sign * x, sign * y, sign * z).normalize();
  const right = own ? along(own.flexion, sense) : along(frame.right, sense),
    forward = own ? along(own.adduction, sense) : along(frame.forward),
    up = own ? along(own.rotation, sense) : along(frame.up);
  return new THREE.Matrix4().makeBasis(right, forward, up).transpose();
}

/** Distances of places from a surface, below 0 behind it; places are changed. */
export function distancesFrom(surface: MeshBVH, geometry: THREE.BufferGeometry, places: Float32Array, onto: THREE.Matrix4): Float32Array {
  const place = new THREE.Vector3(),
    target = { point: new THREE.Vector3(), distance: 0, faceIndex: 0 },
    position = geometry.getAttribute("position") as THREE.BufferAttribute,
    index = geometry.getIndex()!,
    corners = [0, 1, 2].map(() => new THREE.Vector3()) as [THREE.Vector3, THREE.Vector3, THREE.Vector3],
    normal = new THREE.Vector3();
  return Float32Array.from({ length: places.length / 3 }, (_, i) => {
    place.fromArray(places, 3 * i).applyMatrix4(onto);
    const found = surface.closestPointToPoint(place, target);
    if (!found) return NaN;
    corners.forEach((corner, k) => corner.fromBufferAttribute(position, index.getX(3 * found.faceIndex + k)));
    THREE.Triangle.getNormal(...corners, normal);
    return found.distance * (normal.dot(place.sub(found.point)) < 0 ? -1 : 1);
  });
}

function differences(part: Part, of: Joint, first: Joint): Float32Array {
  const other = first.parts.find(({ body }) => body.name === part.body.name);
  if (!other) return new Float32Array(part.body.mesh.vertices).fill(NaN);
  const { moves } = part.body,
    onto = bodyFrame(first.report.frame, moves).transpose().multiply(bodyFrame(of.report.frame, moves)),
    surface = new MeshBVH(other.mesh.geometry, { indirect: true });
  return distancesFrom(surface, other.mesh.geometry, part.rest, onto);
}

/** Gives every body of the later reports the field, where the first report has the same body. */
export function addDifferences(items: readonly Report[]): void {
  for (const item of items.slice(1))
    for (const body of item.bodies)
      if (items[0]!.bodies.some(({ name }) => name === body.name)) addField(body, differenceField());
}

function differenceField(): Field {
  return {
    name: DIFFERENCE,
    label: "Surface, outside that of A",
    unit: "mm",
    blob: "",
    low: -SPAN_MM,
    step: (2 * SPAN_MM) / 65534,
    steps: 1,
    motion: null,
  };
}

/** Computes what is to be shown; bodies are loaded. */
export function makeDifferences(joints: readonly Joint[]): void {
  for (const joint of joints.slice(1))
    for (const part of joint.parts) {
      const field = fieldsOf(part.body).find(({ name }) => name === DIFFERENCE);
      if (field && !part.values.has(field)) part.values.set(field, differences(part, joint, joints[0]!));
    }
}
