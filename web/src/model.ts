/* What a report holds. The C side (src/report/) writes exactly this as JSON into
 * <script type="application/json" id="synovia-report">, and every blob as
 * <script type="application/octet-stream" id="blob-N">: base64 of raw deflate of little-endian bytes.
 * Lengths in mm, angles in degrees, poses as they apply to the meshes as they lie.
 *
 * The page around it, which works without scripts too:
 *   <main id="report">
 *     <header>            <h1> title, <p class="subtitle">, <ul class="summary"> of <li> sentences, those of the verdict
 *                         with class="verdict",
 *                         <section class="notes" id="notes"> of assumptions and warnings, where there are any,
 *                         <p class="notice"> "Research software, not a medical device."
 *     <section id="scene">     left empty: the 3D view is built in it, with class="awaited" where the page has a script;
 *                              figures "view" are taken away once it stands
 *     <section id="plots">     <figure data-plot="envelope|clock|ranges|curves|view|image"> with an <svg> or <img> and a <figcaption>
 *     <section id="tables">    <table data-table="NAME"> with <caption>, <thead> of one row, <tbody>
 *     <footer id="provenance">
 *   then the report, the blobs, and the page's script as the last element of <body>.
 * The script adds <div class="live"> to figures that it draws again, and the class "has-live"; such a figure shows its
 * <svg> only on paper. Drawings take their colours from the style sheet: var(--ink), --muted, --line, --surface,
 * --accent, --good, --warn, --bad, --series-1 … --series-6, so that they follow dark and light. */

export type Vec3 = [number, number, number];

export interface Report {
  synovia: 1;
  kind: "demo" | "hip" | "rom" | "skeleton" | "fai" | "study" | "pressure" | "simulate" | "haptics" | "surgery";
  title: string;
  subtitle: string;
  /** Plain sentences, the most important first. */
  summary: string[];
  /** So many of them stand out; the rest is folded away. Without it all are equal. */
  verdict?: number;
  /** For each sentence the name of the motion that shows it. */
  shows?: (string | null)[];
  /** What was assumed, repaired or left out; reports of earlier versions have none. */
  notes?: string[];
  frame: Frame;
  bodies: Body[];
  motions: Motion[];
  markers: Marker[];
  ranges: Range[];
  /** How the largest alpha angle was measured; only of a femur with a neck. */
  alpha?: Alpha;
  envelope: Envelope | null;
  clock: ClockMark[];
  tables: Table[];
  provenance: Provenance;
  /** Only where `synovia view` serves the page: see live-protocol.ts. */
  live?: { url: string };
}

/** In the half plane about the axis of the neck in which alpha is largest. Places and directions are those of the moving
 * bodies as they lie. */
export interface Alpha {
  /** Of the head. */
  center: Vec3;
  radius_mm: number;
  /** Unit, from the head to the neck. */
  axis: Vec3;
  /** Unit, across it, where the contour leaves the circle. */
  away: Vec3;
  alpha_deg: number;
  hour: number;
  /** By so much the contour is outside the circle there. */
  tolerance_mm: number;
}

/** For the preset views: unit axes of the pelvis in the scene, the centre of the joint. */
export interface Frame {
  side: "right" | "left";
  center: Vec3;
  right: Vec3;
  forward: Vec3;
  up: Vec3;
  /** Out of the cup. */
  cup: Vec3;
  /** Of a joint that is not a hip, whose axes stand for right, forward and up: its views, instead of those of a hip. Without any joint
   * the axes are those of the world. */
  looks?: { name: "lateral" | "anterior" | "above"; label: string }[];
  /** Of such a joint: the side of the body that its file says. */
  letter?: "R" | "L";
  /** No joint is what people look at first: all bodies are shown. */
  whole?: boolean;
  /** syn_hip's pelvis_axes and femur_axes: what turns joint angles into a pose. Without them the envelope is only shown. */
  joint?: {
    pelvis: JointAxes;
    femur: JointAxes;
    /** syn_hip's seat: a shift of the moving bodies that goes with every pose. */
    seat?: Vec3;
  };
}

/** Unit vectors in the scene, the femur's as it lies. */
export interface JointAxes {
  flexion: Vec3;
  adduction: Vec3;
  rotation: Vec3;
}

/** mesh: blob of uint16 x,y,z per vertex (place = origin + step * value), then uint32 indices, each stored as the
 * difference from the one before (zigzag, as uint32), all x, then all y, then all z, coordinates also as differences from
 * the vertex before (zigzag, as uint16). */
export interface Body {
  name: string;
  label: string;
  tissue: "bone" | "cartilage" | "labrum" | "ligament" | "muscle" | "transition_zone";
  moves: boolean;
  /** sRGB, 0 to 255 */
  color: Vec3;
  mesh: { blob: string; vertices: number; triangles: number; origin: Vec3; step: number };
  /** Of the mesh that was analysed; the one shown may have fewer. */
  analysed: { vertices: number; triangles: number };
  /** Greatest distance between the surface shown and the one analysed. */
  display_error_mm: number;
  fields: Field[];
  /** Reports of earlier versions have none. */
  vectors?: Vectors[];
}

/** A vector per step and vertex shown: blob of int16, component = step * stored; -32768 is "none". Step by step, in each all
 * x, then all y, then all z, stored as differences from the same vertex a step before (zigzag, as uint16). */
export interface Vectors {
  name: string;
  label: string;
  unit: string;
  blob: string;
  step: number;
  /** The greatest length. */
  longest: number;
  /** As those of a field. */
  steps: number;
  motion: string | null;
  /** How far the vertices are from where the mesh has them, in mm: the body is drawn deformed, then posed. */
  displaces: boolean;
}

/** One value per vertex shown, or per step and vertex: blob of uint16, value = low + step * stored; 65535 is "none".
 * Stored as differences from the value before (uint16, wrapping). */
export interface Field {
  name: string;
  label: string;
  unit: string;
  /** Empty in the page alone: computed there, see sheet/difference.ts. */
  blob: string;
  low: number;
  step: number;
  /** 1: the same throughout; else one set per step of the motion `motion`. */
  steps: number;
  motion: string | null;
  /** Only in the page: these values are the lengths of vectors, whose blob it is. */
  vectors?: Vectors;
}

export interface Motion {
  name: string;
  label: string;
  /** 12 numbers each: three rows of rotation and translation. Applied to the bodies that move. */
  poses: number[][];
  /** What the slider shows: an angle, a step, seconds. */
  along: { label: string; unit: string; values: number[] };
  curves: Curve[];
  /** Where a limit was found. */
  contact: Contact | null;
  /** Bodies that each have a motion of their own (a skeleton): for every body of the report, its poses; `poses` then
   * leaves everything where it is. */
  bodies?: number[][][];
}

export interface Curve {
  name: string;
  label: string;
  unit: string;
  values: (number | null)[];
}

export interface Contact {
  point: Vec3;
  /** The same on the moving body as it lies. */
  mobile_point: Vec3;
  fixed: string;
  mobile: string;
  kind: string;
  hour: number | null;
  angle_deg: number;
}

export interface Marker {
  name: string;
  label: string;
  point: Vec3;
  /** The body that it moves with. */
  body: string;
  confidence: number;
}

/** A number beside its published range. */
export interface Range {
  name: string;
  label: string;
  unit: string;
  value: number | null;
  why_not: string | null;
  low: number | null;
  high: number | null;
  source: string | null;
  /** Where the source can be read. */
  link?: string | null;
  /** 95 % of what the number may be, by what is uncertain about it; reports of earlier versions have none. */
  band?: [number, number] | null;
  group: "measure" | "motion";
  /** The places of the notes that are about this number; reports of earlier versions have none. */
  notes?: number[];
}

/** Rotation free of contact over flexion and adduction; null where none is free. [flexion][adduction] */
export interface Envelope {
  flexion: number[];
  adduction: number[];
  internal: (number | null)[][];
  external: (number | null)[][];
  /** What people do, and where on the map that is; reports of earlier versions have none. */
  places?: Place[];
  /** Degrees beyond which a rotation is not followed: nothing stops it there. */
  followed_to?: number;
  /** What ends each rotation: a number of `words`; null where nothing does, or without anatomy. */
  contacts?: { words: string[]; internal: (number | null)[][]; external: (number | null)[][] } | null;
}

/** A pose of everyday life or of an examination, or the range of poses that it goes through: from, to. */
export interface Place {
  name: string;
  label: string;
  source: string;
  flexion: [number, number];
  adduction: [number, number];
}

export interface ClockMark {
  hour: number;
  label: string;
  value: number;
  unit: string;
  /** By how much the value falls short of its published range: the length of the bar. null: none is published. Reports of earlier
   * versions do not say. */
  short_by?: number | null;
}

export interface Table {
  name: string;
  title: string;
  columns: { key: string; label: string; unit: string; numeric: boolean }[];
  rows: Record<string, string | number | null>[];
  note: string | null;
}

export interface Provenance {
  version: string;
  date: string;
  command: string;
  inputs: { name: string; sha256: string; vertices: number; triangles: number }[];
  options: Record<string, string | number | boolean | null>;
}

/** Several reports side by side; the ids of blobs in item i begin with "i-". */
export interface Comparison {
  synovia: 1;
  kind: "compare";
  title: string;
  items: Report[];
}
