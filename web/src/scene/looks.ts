/* The preset views. Directions are those from which one looks, in coordinates of the view. */
import * as THREE from "three";
import { viewMatrix } from "./joint";
import type { Frame, Vec3 } from "../model";

export type Look = "anterior" | "lateral" | "medial" | "posterior" | "cup" | "above";

const HIP_LOOKS: { name: Look; label: string; key: string }[] = [
  { name: "anterior", label: "Anterior", key: "1" },
  { name: "lateral", label: "Lateral", key: "2" },
  { name: "medial", label: "Medial", key: "3" },
  { name: "posterior", label: "Posterior", key: "4" },
  { name: "cup", label: "Into the cup", key: "5" },
];

/** The views of a report: along the axes of a joint that is not a hip. */
export function looksOf(frame: Frame): { name: Look; label: string; key: string }[] {
  return frame.looks?.map((look, i) => ({ ...look, key: String(i + 1) })) ?? HIP_LOOKS;
}

export function lookFrom(frame: Frame, look: Look): THREE.Vector3 {
  const outward = frame.side === "right" ? 1 : -1;
  const pick: Record<Look, [Vec3, number]> = {
    anterior: [frame.forward, 1],
    posterior: [frame.forward, -1],
    lateral: [frame.right, outward],
    medial: [frame.right, -outward],
    cup: [frame.cup, 1],
    above: [frame.up, 1],
  };
  const [axis, sign] = pick[look];
  return new THREE.Vector3(...axis).multiplyScalar(sign).transformDirection(viewMatrix(frame));
}

/** The part of a joint that people look at first: a whole femur would make the hip itself small. */
export const JOINT_MM = 75;
