/* What the page asks, and the two that answer: `synovia view`, and the page's own worker, which is the same code in
 * WebAssembly (src/view/page_hip.h). The viewer's page has `live.url` U (with the token in it, without a slash at its end)
 * and sends POST requests to U/pose, U/edit and U/save, each with a JSON object as its body
 * (Content-Type: application/json). One /pose request is in flight at a time; the newest pose goes next and those between
 * are never sent. Any other status than 200 carries {"error": "a sentence"}. */
import type { Frame, Marker, Range, Vec3 } from "../model";

/** POST U/pose */
export interface PoseRequest {
  /** Three rows of rotation and translation, as in Motion.poses. */
  matrix: number[];
  /** The name of the field to colour with; "" where none is shown. */
  field: string;
}

/* * The answer to /pose is binary, little-endian:
 *   uint32   bytes of the JSON that follows, padded with spaces to a multiple of 4
 *   JSON     PoseAnswer
 *   uint16   the values, one after the other in the order of `fields`: value = low + step * stored, 65535 is "none".
 * Stored plainly, neither as differences nor compressed, since they are read once. */
export interface PoseAnswer {
  fields: {
    body: string;
    /** As in Field: "depth", "pressure", … */
    name: string;
    low: number;
    step: number;
    /** In uint16 from where the values begin; as many as the body has vertices shown. */
    offset: number;
  }[];
  /** What is shown beside the scene: depth, clearance, joint angles, free rotation, … */
  numbers: { name: string; label: string; unit: string; value: number | null; /** Why there is no value. */ words?: string }[];
  /** Contact points in the scene. */
  contacts: Vec3[];
}

/** POST U/edit: exactly one of the two. Places are in the scene, with the bodies as they lie. */
export type EditRequest = { center: Vec3 } | { marker: string; point: Vec3 };

/** The answer to /edit, JSON: what has changed because of it. */
export interface EditAnswer {
  frame: Frame;
  markers: Marker[];
  ranges: Range[];
  /** What was assumed or left out, for the joint as it is now. */
  notes: string[];
}

/** GET U/progress: of the analysis that GET U/ makes after an edit, and waits for. */
export interface ProgressAnswer {
  /** 0 to 1, of the steps, as the analysis itself counts; null where nothing is under way. */
  share: number | null;
  /** The number of the step at work, from 1, and how many there are. */
  step?: number;
  steps?: number;
  /** The step at work. */
  doing?: string;
}

/** POST U/save with {}: writes the joint file. The answer, JSON: */
export interface SaveAnswer {
  /** The name of the file written. */
  file: string;
}

/** What a change of the bone leads to. */
export interface ChangeAnswer extends EditAnswer {
  /** Where the vertices on show are, three numbers for each, and how much bone has gone; only after a cut. */
  cut?: { body: string; places: Float64Array; removed: number };
}

/** The page cannot compute at all: not here, not later. */
export class CannotCompute extends Error {}

/** One way to ask. What is optional is not offered by all. */
export interface Source {
  /** Does it give the values of this field? Others are as recorded. */
  answers(field: string): boolean;
  /** Asked for every pose from the start; else from the first that the reader makes. */
  readonly eager: boolean;
  /** Bytes, as above. */
  pose(request: PoseRequest): Promise<ArrayBuffer>;
  edit(request: EditRequest): Promise<EditAnswer>;
  /** What can be placed by picking: all markers, or the centre alone. */
  readonly landmarks: boolean;
  /** What is shown once a change has made parts of the page old. */
  renewal(): HTMLElement;
  save?(): Promise<SaveAnswer>;
  compute?: Computing;
}

/** What only the page itself does: changes that are for looking, not for keeping. */
export interface Computing {
  /** The limits of all clinical motions as numbers. */
  limits(): Promise<PoseAnswer["numbers"]>;
  /** mm from the centre of the head within which the femur stops nothing; 0: everything counts. */
  jointRadius(): Promise<number>;
  setJointRadius(mm: number): Promise<ChangeAnswer>;
  cut(point: Vec3, radius: number, depth: number): Promise<ChangeAnswer>;
  undo(): Promise<ChangeAnswer>;
}

export function readPoseAnswer(bytes: ArrayBuffer): { answer: PoseAnswer; values: Uint16Array } {
  const length = new DataView(bytes).getUint32(0, true);
  const answer: PoseAnswer = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  return { answer, values: new Uint16Array(bytes.slice(4 + length)) };
}
