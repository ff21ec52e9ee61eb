/* The address keeps what is shown, so that a link or a bookmark shows it again: motion and step or a pose of its own, the
 * field, the cut, and from where one looks. */
import * as THREE from "three";
import type { Motion } from "../model";
import type { Stage } from "../scene/stage";
import type { Choices, Store } from "../store";

/** Browsers complain of addresses that change too often. */
const REST_MS = 500;
const CLIPS = ["off", "right", "forward", "up", "neck"] as const;

function numbers(text: string | null, count: number): number[] | null {
  const values = (text ?? "").split(" ").map(Number);
  return text && values.length === count && values.every(Number.isFinite) ? values : null;
}

type Row = [number, number, number];
const dot = (a: Row, b: Row): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Row): Row => a.map((x) => x / Math.sqrt(dot(a, a))) as Row;

/** An address has some digits of a pose: its rotation is made one again, which who computes insists on. null: it is none. */
export function rigid(pose: number[] | null): number[] | null {
  if (!pose) return null;
  const rows = [0, 4, 8].map((k) => pose.slice(k, k + 3) as Row) as [Row, Row, Row],
    x = unit(rows[0]),
    along = dot(x, rows[1]),
    y = unit(rows[1].map((v, k) => v - along * x[k]!) as Row),
    z: Row = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const isNear = [x, y, z].every((row, r) => row.every((v, k) => Math.abs(v - rows[r]![k]!) < 1e-4));
  return isNear ? [...x, pose[3]!, ...y, pose[7]!, ...z, pose[11]!] : null;
}

const short = (values: readonly number[], digits: number): string => values.map((x) => String(Number(x.toFixed(digits)))).join(" ");

/** What an address says, as far as this report can show that. */
export function readState(hash: string, motions: readonly Motion[], fields: readonly string[]): Partial<Choices> {
  const words = new URLSearchParams(hash.replace(/^#/, "")),
    motion = motions.findIndex((each) => each.name === words.get("motion")),
    step = Number(words.get("step") ?? NaN),
    pose = rigid(numbers(words.get("pose"), 12)),
    clip = CLIPS.find((each) => each === words.get("cut")),
    field = words.get("field");
  return {
    ...(motion >= 0 && Number.isInteger(step) && step >= 0 && step < motions[motion]!.poses.length ? { motion, step } : {}),
    ...(pose && { pose: { matrix: pose, label: words.get("label") ?? "Free pose" } }),
    ...(clip && { clip, clipAt: Number(words.get("at")) || 0 }),
    ...(field !== null && (field === "" || fields.includes(field)) && { field }),
  };
}

/** From where an address looks: place and target of the camera; null: it does not say. */
export function readLook(hash: string): [THREE.Vector3, THREE.Vector3] | null {
  const six = numbers(new URLSearchParams(hash.replace(/^#/, "")).get("look"), 6);
  return six && [new THREE.Vector3(...six.slice(0, 3)), new THREE.Vector3(...six.slice(3))];
}

function stateText({ motion, step, pose, clip, clipAt, field }: Readonly<Choices>, motions: readonly Motion[], first: string, stage: Stage): string {
  const { camera, controls } = stage;
  return new URLSearchParams({
    ...(motions[motion] && { motion: motions[motion].name, step: String(step) }),
    ...(pose && { pose: short(pose.matrix, 6), label: pose.label }),
    ...(clip !== "off" && { cut: clip, at: String(clipAt) }),
    ...(field !== first && { field }),
    look: short([...camera.position.toArray(), ...controls.target.toArray()], 1),
  }).toString();
}

export function keepState(store: Store, motions: readonly Motion[], stage: Stage): void {
  const { field } = store.now,
    /** Opening a page changes nothing. */
    opened = stateText(store.now, motions, field, stage);
  let later: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(later);
    later = setTimeout(() => {
      const now = stateText(store.now, motions, field, stage);
      if (!store.now.playing && (now !== opened || /[#&]motion=/.test(location.hash))) history.replaceState(null, "", `#${now}`);
    }, REST_MS);
  };
  store.follow(keep);
  stage.controls.addEventListener("end", keep);
}
