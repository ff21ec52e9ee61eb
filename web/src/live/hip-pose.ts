/* Joint angles to a pose of the moving bodies, as syn_hip_pose does (Grood and Suntay 1983; Wu et al. 2002). */
import type { Frame, JointAxes } from "../model";

type Matrix = number[][];

function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => [0, 1, 2].map((j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));
}

function rows(axes: JointAxes): Matrix {
  return [axes.flexion, axes.adduction, axes.rotation];
}

function transpose(a: Matrix): Matrix {
  return [0, 1, 2].map((i) => a.map((row) => row[i]!));
}

/* * Degrees; 12 numbers, or null if the report does not give the axes. */
export function hipPose(frame: Frame, flexion: number, adduction: number, rotation: number): number[] | null {
  if (!frame.joint) return null;
  const [f, a, r] = [flexion, adduction, rotation].map((x) => (x * Math.PI) / 180) as [number, number, number];
  const cf = Math.cos(f),
    sf = Math.sin(f),
    ca = Math.cos(a),
    sa = Math.sin(a),
    cr = Math.cos(r),
    sr = Math.sin(r);
  const joint = [
    [ca * cr, -ca * sr, sa],
    [cf * sr + sf * sa * cr, cf * cr - sf * sa * sr, -sf * ca],
    [sf * sr - cf * sa * cr, sf * cr + cf * sa * sr, cf * ca],
  ];
  const seat = frame.joint.seat ?? [0, 0, 0];
  const turn = multiply(transpose(rows(frame.joint.pelvis)), multiply(joint, rows(frame.joint.femur)));
  return turn.flatMap((row, i) => [
    ...row,
    frame.center[i]! - row.reduce((sum, x, k) => sum + x * frame.center[k]!, 0) + seat[i]!,
  ]);
}

/** The angles of a pose in degrees, as syn_hip_angles_of has them; null if the report does not give the axes. */
export function hipAngles(frame: Frame, pose: readonly number[]): [number, number, number] | null {
  if (!frame.joint) return null;
  const turn = [0, 4, 8].map((i) => [pose[i]!, pose[i + 1]!, pose[i + 2]!]);
  const r = multiply(rows(frame.joint.pelvis), multiply(turn, transpose(rows(frame.joint.femur))));
  const ca = Math.hypot(r[0]![0]!, r[0]![1]!),
    degrees = (y: number, x: number): number => (Math.atan2(y, x) * 180) / Math.PI;
  const adduction = degrees(r[0]![2]!, ca);
  if (ca < 1e-12) return [degrees(r[2]![1]!, r[1]![1]!), adduction, 0];
  return [degrees(-r[1]![2]!, r[2]![2]!), adduction, degrees(-r[0]![1]!, r[0]![0]!)];
}

/** "flexed 90°, adducted 20°, turned in 30°": whole degrees, without those that are 0. */
export function angleWords(angles: readonly [number, number, number]): string {
  const words = [
    ["flexed", "extended"],
    ["adducted", "abducted"],
    ["turned in", "turned out"],
  ];
  return angles
    .map((angle, i) => (Math.round(angle) ? `${words[i]![angle < 0 ? 1 : 0]} ${Math.abs(Math.round(angle))}\u00b0` : ""))
    .filter(Boolean)
    .join(", ");
}
