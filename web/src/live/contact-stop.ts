/* Stopping at contact: a drag that would take the bodies into each other goes as far as they are free of each other. */
import * as THREE from "three";
import type { PoseAnswer } from "./protocol";
import type { Vec3 } from "../model";

/** A drag is cut in half so often: to a part in 64. */
const HALVINGS = 6;

/** Bodies overlap where some turn has to go back before it is free. */
export function isFree(numbers: PoseAnswer["numbers"]): boolean {
  return !numbers.some(
    ({ name, value, words }) =>
      name.startsWith("free_") && (words?.startsWith("no free pose") || (value !== null && value < 0)),
  );
}

function matrixOf(pose: readonly number[]): THREE.Matrix4 {
  const rows = [...pose, 0, 0, 0, 1] as Parameters<THREE.Matrix4["set"]>;
  return new THREE.Matrix4().set(...rows);
}

/** A pose between two, turned about the centre. */
export function poseBetween(from: readonly number[], to: readonly number[], center: Vec3, share: number): number[] {
  const [a, b] = [from, to].map(matrixOf) as [THREE.Matrix4, THREE.Matrix4],
    turn = (m: THREE.Matrix4): THREE.Quaternion => new THREE.Quaternion().setFromRotationMatrix(m),
    carried = (m: THREE.Matrix4): THREE.Vector3 => new THREE.Vector3(...center).applyMatrix4(m);
  const rotation = new THREE.Matrix4().makeRotationFromQuaternion(turn(a).slerp(turn(b), share)),
    place = carried(a).lerp(carried(b), share).sub(carried(rotation));
  rotation.setPosition(place);
  return [0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => rotation.elements[row + column]!));
}

/** The farthest free pose on the way to an overlapping one, as far as halving finds it. */
export async function lastFree(
  free: readonly number[],
  overlapping: readonly number[],
  center: Vec3,
  isFreeAt: (pose: number[]) => Promise<boolean>,
): Promise<number[]> {
  let low = 0,
    high = 1,
    best = [...free];
  for (let i = 0; i < HALVINGS; ++i) {
    const middle = (low + high) / 2,
      pose = poseBetween(free, overlapping, center, middle);
    if (await isFreeAt(pose)) ((low = middle), (best = pose));
    else high = middle;
  }
  return best;
}
