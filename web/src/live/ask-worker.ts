/* Asking the page itself: the library as WebAssembly, in a worker that starts with the first question. */
import { blobBytes } from "../scene/decode";
import { h } from "../page/dom";
import {
  CannotCompute,
  readPoseAnswer,
  type ChangeAnswer,
  type Computing,
  type PoseAnswer,
  type PoseRequest,
  type Source,
} from "./protocol";
import type { Field, Range, Report, Vec3 } from "../model";

/** The script of worker.ts, put in by build.mjs. */
declare const WORKER: string;

type Ask =
  | { call: "open"; code: ArrayBuffer; hip: Uint8Array }
  | { call: "pose"; matrix: number[]; field: string }
  | { call: "limits" | "undo" | "removed" }
  | { call: "center"; center: Vec3 }
  | { call: "radius"; mm: number }
  | { call: "cut"; point: Vec3; radius: number; depth: number };
export type WorkerRequest = Ask & { id: number };
export interface WorkerReply {
  id: number;
  value?: ArrayBuffer | Float64Array | number;
  error?: string;
}

const HIP = "hip-blob-0",
  CODE = "wasm-blob-0";
const REACH_MM = 5;

/** Does the page carry the hip and the program, and can this browser run it? */
export function canCompute(report: Report): boolean {
  const there = [HIP, CODE].every((id) => document.getElementById(id));
  return there && Boolean(report.frame.joint) && typeof WebAssembly === "object" && typeof Worker === "function";
}

/** The fields that follow the pose; no report has recorded them. */
export function poseFields(): Field[] {
  const common = { unit: "mm", blob: "", low: -REACH_MM, step: (2 * REACH_MM) / 65534, steps: 1, motion: null };
  return [
    { ...common, name: "pose_depth", label: "Depth at this pose (below 0: apart)" },
    { ...common, name: "pose_radial", label: "Depth along the radius at this pose" },
  ];
}

/** A worker, or the reason why there is none. Questions are answered in their order. */
class Link {
  private readonly waiting = new Map<number, { done: (value: never) => void; failed: (error: Error) => void }>();
  private ids = 0;
  private readonly worker: Worker;

  constructor() {
    const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      const { done, failed } = this.waiting.get(data.id)!;
      this.waiting.delete(data.id);
      if (data.error === undefined) done(data.value as never);
      else failed(new Error(data.error));
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      for (const { failed } of this.waiting.values()) failed(new Error(event.message || "its worker was not let in"));
      this.waiting.clear();
    };
  }

  ask<T>(request: Ask, transfer: Transferable[] = []): Promise<T> {
    return new Promise((done, failed) => {
      const id = ++this.ids;
      this.waiting.set(id, { done: done as (value: never) => void, failed });
      this.worker.postMessage({ ...request, id }, transfer);
    });
  }
}

/** A motion's number in the ranges; those of the bones alone are of another hip than the one that is asked. */
function withLimit(range: Range, limits: PoseAnswer["numbers"]): Range {
  const limit = limits.find(({ name }) => name === range.name);
  if (range.group !== "motion" || !limit || range.label !== limit.label) return range;
  return { ...range, value: limit.value, why_not: limit.words ?? null };
}

class PageComputing implements Computing {
  private link: Promise<Link> | null = null;
  private opened: Link | null = null;
  private radius = 0;
  constructor(private readonly report: Report) {}

  /** What cannot start once is not tried again. */
  started(): Promise<Link> {
    return (this.link ??= this.start().catch((error: Error) => {
      throw new CannotCompute(error.message);
    }));
  }

  private async start(): Promise<Link> {
    const [code, hip] = await Promise.all([blobBytes(CODE), blobBytes(HIP)]),
      link = new Link();
    this.radius = await link.ask<number>({ call: "open", code: code.buffer as ArrayBuffer, hip }, [
      code.buffer as ArrayBuffer,
      hip.buffer as ArrayBuffer,
    ]);
    return (this.opened = link);
  }

  /** Once it is open the question is under way when this returns. */
  pose({ matrix, field }: PoseRequest): Promise<ArrayBuffer> {
    const ask = (link: Link): Promise<ArrayBuffer> => link.ask({ call: "pose", matrix, field });
    return this.opened ? ask(this.opened) : this.started().then(ask);
  }

  async limits(): Promise<PoseAnswer["numbers"]> {
    return readPoseAnswer(await (await this.started()).ask<ArrayBuffer>({ call: "limits" })).answer.numbers;
  }

  async jointRadius(): Promise<number> {
    await this.started();
    return this.radius;
  }

  /** What follows from a change that was made. */
  async changed(frame = this.report.frame): Promise<ChangeAnswer> {
    const { markers, ranges, notes = [] } = this.report,
      limits = await this.limits();
    return { frame, markers, notes, ranges: ranges.map((range) => withLimit(range, limits)) };
  }

  async setCenter(center: Vec3): Promise<ChangeAnswer> {
    const { frame } = this.report;
    await (await this.started()).ask({ call: "center", center });
    return this.changed({ ...frame, center, joint: { ...frame.joint!, seat: [0, 0, 0] } });
  }

  async setJointRadius(mm: number): Promise<ChangeAnswer> {
    this.radius = await (await this.started()).ask<number>({ call: "radius", mm });
    return this.changed();
  }

  private async shaped(request: Ask): Promise<ChangeAnswer> {
    const link = await this.started(),
      places = await link.ask<Float64Array>(request),
      removed = await link.ask<number>({ call: "removed" });
    return { ...(await this.changed()), cut: { body: "femur", places, removed } };
  }

  cut(point: Vec3, radius: number, depth: number): Promise<ChangeAnswer> {
    return this.shaped({ call: "cut", point, radius, depth });
  }

  undo(): Promise<ChangeAnswer> {
    return this.shaped({ call: "undo" });
  }
}

export function pageSource(report: Report): Source {
  const compute = new PageComputing(report),
    names = poseFields().map(({ name }) => name);
  return {
    answers: (field) => names.includes(field),
    eager: false,
    landmarks: false,
    renewal: () =>
      h(
        "p",
        { class: "quiet", hidden: true },
        "Ranges and numbers follow the change. Summary, motions, envelope, clock and tables are those of the report. ",
        h("button", { type: "button", name: "reload", onclick: () => location.reload() }, "Back to the report"),
      ),
    pose: (request) => compute.pose(request),
    edit: (request) => {
      if ("center" in request) return compute.setCenter(request.center);
      return Promise.reject(new Error("landmarks are placed in `synovia view`"));
    },
    compute,
  };
}
