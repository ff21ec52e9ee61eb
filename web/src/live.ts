/* The viewer's own part: drag the mobile bodies, edit the joint, save. Talks as live-protocol.ts says. */
import * as THREE from "three";
import { isFree, lastFree } from "./contact-stop";
import { checkbox, finely, h, showMessage } from "./dom";
import { viewMatrix, type Part } from "./joint";
import { LatestWins } from "./latest-wins";
import {
  readPoseAnswer,
  type EditAnswer,
  type EditRequest,
  type PoseAnswer,
  type PoseRequest,
  type SaveAnswer,
} from "./live-protocol";
import type { Field, Report, Vec3 } from "./model";
import { showRanges } from "./plots";
import { renewal } from "./renewal";
import type { Scene } from "./scene";
import type { Choices } from "./store";
import { EditTools } from "./viewer-edits";

/** In place of those that the page came with. */
function showNotes(notes: readonly string[]): void {
  const place = document.querySelector(".notes"),
    list = h("ul", { class: "notes-list" }, ...notes.map((note) => h("li", {}, note))),
    section = h("section", { class: "notes", id: "notes" }, h("h2", {}, "Assumptions and warnings"), list);
  if (place) place.replaceWith(...(notes.length ? [section] : []));
  else if (notes.length) document.querySelector("#report .notice")?.before(section);
}

/** What is dragged: the first body that moves. */
function mobileName(report: Report): string {
  return report.bodies.find((body) => body.moves)?.label.toLowerCase() ?? "bodies";
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Error(error ?? `the viewer answered ${response.status}`);
}

/** The pose that a turn about the centre makes of the one that there is; the turn is in coordinates of the view. */
export function turnedPose(scene: Scene, turn: THREE.Quaternion): number[] {
  const {
      joint,
      report: { frame },
    } = scene,
    view = viewMatrix(frame),
    shift = ([x, y, z]: Vec3, sign: number): THREE.Matrix4 =>
      new THREE.Matrix4().makeTranslation(sign * x, sign * y, sign * z);
  const before = shift(joint.origin, 1).multiply(joint.moving.matrix).multiply(shift(joint.origin, -1));
  const inScene = view.clone().invert().multiply(new THREE.Matrix4().makeRotationFromQuaternion(turn)).multiply(view);
  const after = shift(frame.center, 1).multiply(inScene).multiply(shift(frame.center, -1)).multiply(before);
  return [0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => after.elements[row + column]!));
}

/** The centre lies inside the bone: it goes to where it was pressed on the screen and keeps its distance from there. */
function centerOn(scene: Scene, ray: THREE.Ray): Vec3 {
  const {
      joint,
      report: { frame },
    } = scene,
    toView = viewMatrix(frame),
    [ox, oy, oz] = joint.origin;
  const before = new THREE.Vector3(frame.center[0] - ox, frame.center[1] - oy, frame.center[2] - oz).applyMatrix4(
    toView,
  );
  const { x, y, z } = ray.closestPointToPoint(before, new THREE.Vector3()).applyMatrix4(toView.invert());
  return [x + ox, y + oy, z + oz];
}

/** A field of the report with the values of an answer. */
function readField(
  known: Field,
  { low, step, offset }: PoseAnswer["fields"][number],
  stored: Uint16Array,
  vertices: number,
): NonNullable<Part["shown"]> {
  const field: Field = { ...known, low, step, steps: 1, motion: null };
  const values = Float32Array.from(stored.subarray(offset, offset + vertices), (x) =>
    x === 65535 ? NaN : low + step * x,
  );
  return { field, values };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

class Live {
  private posing = false;
  /* * The last complaint; the same one is not shown twice. */
  private failed = "";
  private answersAgain = (): void => {};
  /** What the next press on a surface places: "center", a marker's name, or nothing. */
  private placing: string | null = null;
  private answers = 0;
  /** Whether drags stop at contact, and the last pose that is known to be free. */
  private stopping = false;
  private free: number[] | null = null;
  private readonly numbers = h("dl", { class: "numbers quiet" });
  private readonly rate = h("p", { class: "quiet" });
  /** What an edit has made old, until the page is loaded again. */
  private readonly old: HTMLElement;
  private readonly tools: EditTools;
  private readonly poses = new LatestWins<PoseRequest>((request) => this.askPose(request));

  constructor(
    private readonly scene: Scene,
    private readonly url: string,
  ) {
    this.old = renewal(url);
    this.tools = new EditTools(scene.report, () => this.placing, (request) => this.edit(request));
    scene.panel.prepend(this.makePanel());
    this.followPointer();
    scene.answered = true;
    scene.store.follow((now, changed) => this.follow(now, changed));
    setInterval(() => {
      this.rate.textContent = this.answers ? `${this.answers} ${this.answers === 1 ? "pose" : "poses"} in the last second` : "";
      this.answers = 0;
    }, 1000);
  }

  /** Whatever moves the bodies or chooses what is coloured: the viewer is asked. */
  private follow(now: Readonly<Choices>, changed: Partial<Choices>): void {
    if (changed.field !== undefined) this.clear();
    if ((["pose", "motion", "step", "field"] as const).some((key) => changed[key] !== undefined)) this.askAgain(now);
  }

  private askAgain({ pose, motion, step, field }: Readonly<Choices>): void {
    const matrix = pose?.matrix ?? this.scene.report.motions[motion]?.poses[step] ?? IDENTITY;
    void this.poses.ask({ matrix, field });
  }

  /** No colours are better than those of another field or pose. */
  private clear(): void {
    for (const part of this.scene.joint.parts) this.scene.joint.paint(part, null);
    this.scene.tellLargest();
    this.scene.stage.draw();
  }

  private makePanel(): HTMLElement {
    const { markers } = this.scene.report,
      canvas = this.scene.stage.canvas;
    const pose = h(
      "button",
      {
        type: "button",
        name: "pose",
        onclick: () => {
          this.posing = !this.posing;
          pose.setAttribute("aria-pressed", String(this.posing));
          canvas.classList.toggle("posing", this.posing);
        },
      },
      `Move the ${mobileName(this.scene.report)}`,
    );
    const place = h(
      "select",
      {
        name: "place",
        "aria-label": "Place by picking",
        onchange: () => {
          this.placing = place.value || null;
          canvas.classList.toggle("picking", this.placing !== null);
          if (this.placing) this.scene.store.set({ landmarks: true });
          this.tools.show();
        },
      },
      h("option", { value: "" }, "Pick nothing"),
      h("option", { value: "center" }, "Pick the centre"),
      ...markers
        .filter((marker) => marker.name !== "center")
        .map((marker) => h("option", { value: marker.name }, `Pick ${marker.label}`)),
    );
    const stop = checkbox("Stop at contact", this.stopping, (on) => (this.stopping = on));
    stop.input.name = "stop";
    const save = h("button", { type: "button", name: "save", onclick: () => void this.save(save) }, "Save the joint");
    return h(
      "fieldset",
      { class: "live-panel" },
      h("legend", {}, "Live"),
      h("div", { class: "row" }, pose, stop.label, place, save),
      this.tools.element,
      this.numbers,
      this.rate,
      this.old,
    );
  }

  private followPointer(): void {
    const { canvas, controls } = this.scene.stage;
    let last: [number, number] | null = null;
    // In front of the camera's own listeners, which do nothing while a body is held.
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        if (event.button !== 0 || !(this.placing || this.posing)) return;
        const caster = this.scene.stage.ray(event.clientX, event.clientY, this.scene.box),
          hit = this.scene.joint.pick(caster);
        if (this.placing === "center") void this.tools.carryOut({ center: centerOn(this.scene, caster.ray) });
        else if (this.placing && hit) void this.tools.carryOut({ marker: this.placing, point: hit.point });
        else if (this.posing && hit?.part.body.moves) {
          last = [event.clientX, event.clientY];
          controls.enabled = false;
        }
      },
      { capture: true },
    );
    window.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.turn(event.clientX - last[0], event.clientY - last[1]);
      last = [event.clientX, event.clientY];
    });
    window.addEventListener("pointerup", () => {
      last = null;
      controls.enabled = true;
    });
    canvas.addEventListener(
      "keydown",
      (event) => {
        const by = (
          { ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4] } as Record<
            string,
            [number, number]
          >
        )[event.key];
        if (!this.posing || !by) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.turn(...by);
      },
      { capture: true },
    );
  }

  /** Pixels to a turn about the axes of the screen, a quarter of a degree each. */
  private turn(dx: number, dy: number): void {
    const { camera } = this.scene.stage;
    const degree = Math.PI / 180 / 4,
      right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0),
      up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const turn = new THREE.Quaternion()
      .setFromAxisAngle(up, dx * degree)
      .multiply(new THREE.Quaternion().setFromAxisAngle(right, dy * degree));
    const matrix = turnedPose(this.scene, turn);
    this.scene.store.set({ pose: { matrix, label: "Free pose" }, playing: false });
  }

  private async answerAt(request: PoseRequest): Promise<ReturnType<typeof readPoseAnswer>> {
    return readPoseAnswer(await (await post(`${this.url}/pose`, request)).arrayBuffer());
  }

  /** Back to where the bodies are free, where a drag went beyond that. */
  private async stopBefore(matrix: number[]): Promise<void> {
    const center = this.scene.report.frame.center,
      ask = async (pose: number[]): Promise<boolean> =>
        isFree((await this.answerAt({ matrix: pose, field: "" })).answer.numbers);
    const found = await lastFree(this.free!, matrix, center, ask);
    this.scene.store.set({ pose: { matrix: found, label: "At contact" }, playing: false });
  }

  private async askPose(request: PoseRequest): Promise<void> {
    try {
      const { answer, values } = await this.answerAt(request),
        dragged = this.scene.store.now.pose?.matrix === request.matrix;
      if (isFree(answer.numbers)) this.free = request.matrix;
      else if (this.stopping && dragged && this.free) return await this.stopBefore(request.matrix);
      ++this.answers;
      this.answersAgain();
      this.answersAgain = () => {};
      this.failed = "";
      if (request.field === this.scene.store.now.field) this.paint(answer, values);
    } catch (error) {
      this.clear();
      this.answersAgain = this.fail(error as Error);
    }
  }

  private paint(answer: PoseAnswer, stored: Uint16Array): void {
    const { joint } = this.scene;
    for (const part of joint.parts) {
      const told = answer.fields.find((each) => each.body === part.body.name),
        known = told && part.body.fields.find((field) => field.name === told.name);
      joint.paint(part, known ? readField(known, told, stored, part.body.mesh.vertices) : null);
    }
    this.scene.marks.showContacts(answer.contacts);
    this.numbers.replaceChildren(
      ...answer.numbers.flatMap(({ name, label, unit, value, words }) => [
        h("dt", {}, label),
        h("dd", { "data-number": name }, words ?? finely(value, unit)),
      ]),
    );
    this.scene.tellLargest();
    this.scene.stage.draw();
  }

  /** Whether it was carried out. */
  private async edit(request: EditRequest): Promise<boolean> {
    const { report, marks, stage } = this.scene;
    try {
      const answer: EditAnswer = await (await post(`${this.url}/edit`, request)).json(),
        known = report.notes ?? [];
      Object.assign(report, answer);
      // What is new is also said where it is seen at once.
      for (const note of answer.notes) if (!known.includes(note)) showMessage(note);
      marks.makeLandmarks();
      showRanges(report.ranges, report.motions);
      showNotes(answer.notes);
      this.old.hidden = false;
      this.scene.store.set({ landmarks: true });
      this.free = null;
      this.askAgain(this.scene.store.now);
      stage.draw();
      return true;
    } catch (error) {
      this.fail(error as Error);
      return false;
    }
  }

  private async save(button: HTMLButtonElement): Promise<void> {
    try {
      const { file }: SaveAnswer = await (await post(`${this.url}/save`, {})).json();
      button.textContent = `Saved ${file}`;
      setTimeout(() => (button.textContent = "Save the joint"), 2500);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Gives what takes the message away again. */
  private fail(error: Error): () => void {
    if (error.message === this.failed) return this.answersAgain;
    this.failed = error.message;
    return showMessage(`The viewer did not answer as it should: ${error.message}.`);
  }
}

export function startLive(scene: Scene, url: string): void {
  new Live(scene, url);
}
