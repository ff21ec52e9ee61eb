/* The part of the page that answers: drag the mobile bodies, turn them by numbers, edit the joint, save. Whom it asks, the
 * viewer or the page itself, is a matter of protocol.ts. */
import * as THREE from "three";
import { isFree, lastFree } from "./contact-stop";
import { checkbox, h, setText, showMessage } from "../page/dom";
import { readable } from "../page/numbers";
import { dropFields, fieldGroups, fieldsOf, firstField } from "../colors/fields";
import { hipAngles } from "./hip-pose";
import { viewMatrix, type Part } from "../scene/joint";
import { LatestWins, type Rest } from "./latest-wins";
import { AngleControls, freeAngles, goTo, SAME, stopped, type Angles } from "./angles";
import { ChangeControls } from "./change";
import {
  CannotCompute,
  readPoseAnswer,
  type ChangeAnswer,
  type PoseAnswer,
  type PoseRequest,
  type Source,
} from "./protocol";
import type { Field, Marker, Report, Vec3 } from "../model";
import { showRanges } from "../figures/plots";
import { showNotes } from "../page/notes";
import type { Scene } from "../scene/scene";
import type { Choices } from "../store";
import { EditTools } from "./viewer-edits";

/** What is dragged: the first body that moves. */
function mobileName(report: Report): string {
  return report.bodies.find((body) => body.moves)?.label.toLowerCase() ?? "bodies";
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
  const values = new Float32Array(vertices);
  for (let i = 0; i < vertices; ++i) {
    const x = stored[offset + i]!;
    values[i] = x === 65535 ? NaN : low + step * x;
  }
  return { field, values };
}

const FREE_POSE = "Free pose";
/** After a question that none follows for so long the page has its time for itself again. */
const QUIET_MS = 500;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

class Live {
  private posing = false;
  /* * The last complaint; the same one is not shown twice. */
  private failed = "";
  private answersAgain = (): void => {};
  /** What the next press on a surface places: "center", a marker's name, or nothing. */
  private placing: string | null = null;
  private answers = 0;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  /** Whether drags stop at contact, and the last pose that is known to be free. */
  private stopping = false;
  private free: number[] | null = null;
  /** Whether poses are asked for: from the start, or once the reader has made one; `off`: never again. */
  private asking: boolean;
  private off = false;
  /** The angles that were answered last, and how far each may go on from there. */
  private known: { angles: Angles; free: [number, number][] } | null = null;
  /** The angles that were typed last. */
  private wanted: Angles | null = null;
  private readonly angles = new AngleControls((angles) => this.turnTo(angles));
  private readonly changes: ChangeControls | null;
  private readonly numbers = h("dl", { class: "numbers quiet" });
  private readonly rate = h("p", { class: "quiet rate" });
  /** What an edit has made old, until the page is loaded again. */
  private readonly old: HTMLElement;
  private readonly tools: EditTools;
  private readonly panel: HTMLElement;
  private readonly poses = new LatestWins<PoseRequest>((request) => this.askPose(request));

  constructor(
    private readonly scene: Scene,
    private readonly source: Source,
  ) {
    const { report, panel } = scene;
    this.asking = source.eager;
    this.old = source.renewal();
    this.tools = new EditTools(
      report,
      () => this.placing,
      (request) => this.change(source.edit(request)),
    );
    this.changes = source.compute
      ? new ChangeControls(source.compute, report.motions, (what) => this.change(what), () => this.hold("cutting"))
      : null;
    panel.prepend((this.panel = this.makePanel()));
    panel.classList.add("with-live");
    this.followPointer();
    scene.answers = (field) => !this.off && source.answers(field);
    scene.store.follow((now, changed) => this.follow(now, changed));
    setInterval(() => {
      this.rate.textContent = this.answers ? `${this.answers} ${this.answers === 1 ? "pose" : "poses"} in the last second` : "";
      this.answers = 0;
    }, 1000);
  }

  /** Whatever moves the bodies or chooses what is coloured is answered. */
  private follow(now: Readonly<Choices>, changed: Partial<Choices>): void {
    if (this.off) return;
    const answered = this.source.answers(now.field);
    if (changed.field !== undefined && answered) this.clear();
    if (!(["pose", "motion", "step", "field"] as const).some((key) => changed[key] !== undefined)) return;
    const angles = this.anglesOf(this.matrix(now));
    if (angles) this.angles.show(angles);
    this.asking ||= now.pose !== null || answered;
    if (this.asking) this.askAgain(now);
  }

  private matrix({ pose, motion, step }: Readonly<Choices>): number[] {
    return pose?.matrix ?? this.scene.report.motions[motion]?.poses[step] ?? IDENTITY;
  }

  private anglesOf(matrix: readonly number[]): Angles | null {
    return hipAngles(this.scene.report.frame, matrix);
  }

  private askAgain(now: Readonly<Choices>): void {
    void this.poses.ask({ matrix: this.matrix(now), field: this.source.answers(now.field) ? now.field : "" });
  }

  /** To typed angles, or as far as the bones let it: of a turn about one axis from where the last answer was given the end is
   * known exactly. Where that answer is of elsewhere, or still on its way, the pose that is left is asked about first. */
  private turnTo(to: Angles): void {
    const { known } = this,
      along = known ? to.filter((angle, i) => Math.abs(angle - known.angles[i]!) > SAME).length : 3;
    this.wanted = to;
    if (!this.stopping) this.showAngles(to);
    else if (known && along < 2) this.showAngles(stopped(known.angles, to, known.free));
    else void this.turnFromHere(to);
  }

  private async turnFromHere(to: Angles): Promise<void> {
    const matrix = this.matrix(this.scene.store.now);
    try {
      this.learn(matrix, (await this.answerAt({ matrix, field: "" })).answer);
    } catch (error) {
      return void this.fail(error as Error);
    }
    if (this.wanted === to) this.showAngles(this.known ? stopped(this.known.angles, to, this.known.free) : to);
  }

  private showAngles(angles: Angles): void {
    goTo(this.scene.store, this.scene.report.frame, angles, this.colored());
    this.angles.show(angles);
  }

  /** The first pose that the reader makes is coloured as it is, in place of what was recorded elsewhere. */
  private colored(): Partial<Choices> {
    return this.asking || this.source.answers(this.scene.store.now.field) ? {} : { field: "pose_depth" };
  }

  /** One thing at a time is done with the pointer. */
  private hold(what: "posing" | "cutting" | "placing" | null): void {
    const { canvas } = this.scene.stage,
      place = this.panel.querySelector<HTMLSelectElement>('[name="place"]')!;
    this.posing = what === "posing";
    if (what !== "cutting") this.changes?.stop();
    if (what !== "placing") this.placing = null;
    place.value = this.placing ?? "";
    this.panel.querySelector('[name="pose"]')!.setAttribute("aria-pressed", String(this.posing));
    canvas.classList.toggle("posing", this.posing);
    canvas.classList.toggle("picking", this.placing !== null || this.changes?.cutting === true);
    this.tools.show();
  }

  /** No colours are better than those of another field or pose. */
  private clear(): void {
    for (const part of this.scene.joint.parts) this.scene.joint.paint(part, null);
    this.scene.tellLargest();
    this.scene.stage.draw();
  }

  private makePanel(): HTMLElement {
    const { markers, frame } = this.scene.report,
      { save, landmarks } = this.source;
    const pose = h(
      "button",
      {
        type: "button",
        name: "pose",
        "aria-pressed": "false",
        onclick: () => this.hold(this.posing ? null : "posing"),
      },
      `Move the ${mobileName(this.scene.report)}`,
    );
    const stop = checkbox("Stop at contact", this.stopping, (on) => (this.stopping = on));
    stop.input.name = "stop";
    const keep = h("button", { type: "button", name: "save", onclick: () => void this.save(keep) }, "Save the joint");
    return h(
      "fieldset",
      { class: "live-panel" },
      h("legend", {}, save ? "Live" : "Try a pose"),
      frame.joint ? this.angles.element : null,
      h(
        "div",
        { class: "row" },
        pose,
        stop.label,
        this.makePlacing(landmarks ? markers.filter((marker) => marker.name !== "center") : []),
        save ? keep : null,
      ),
      this.tools.element,
      this.numbers,
      this.rate,
      this.changes?.element ?? null,
      this.old,
    );
  }

  private makePlacing(markers: readonly Marker[]): HTMLElement {
    const place = h(
      "select",
      {
        name: "place",
        "aria-label": "Place by picking",
        onchange: () => {
          this.placing = place.value || null;
          this.hold(this.placing ? "placing" : null);
          if (this.placing) this.scene.store.set({ landmarks: true });
        },
      },
      h("option", { value: "" }, "Pick nothing"),
      h("option", { value: "center" }, "Pick the centre"),
      ...markers.map((marker) => h("option", { value: marker.name }, `Pick ${marker.label}`)),
    );
    return place;
  }

  private followPointer(): void {
    const { canvas, controls } = this.scene.stage;
    let last: [number, number] | null = null;
    // In front of the camera's own listeners, which do nothing while a body is held.
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        if (event.button !== 0 || !(this.placing || this.posing || this.changes?.cutting)) return;
        const caster = this.scene.stage.ray(event.clientX, event.clientY, this.scene.box),
          hit = this.scene.joint.pick(caster);
        if (this.placing === "center") void this.tools.carryOut({ center: centerOn(this.scene, caster.ray) });
        else if (this.placing && hit) void this.tools.carryOut({ marker: this.placing, point: hit.point });
        else if (this.changes?.cutting && hit?.part.body.name === "femur") void this.changes.press(hit.point);
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
    this.scene.store.set({ pose: { matrix, label: FREE_POSE }, playing: false, ...this.colored() });
  }

  private async answerAt(request: PoseRequest): Promise<ReturnType<typeof readPoseAnswer>> {
    return readPoseAnswer(await this.source.pose(request));
  }

  /** Back to where the bodies are free, where a drag went beyond that. */
  private async stopBefore(matrix: number[]): Promise<void> {
    const center = this.scene.report.frame.center,
      ask = async (pose: number[]): Promise<boolean> =>
        isFree((await this.answerAt({ matrix: pose, field: "" })).answer.numbers);
    const found = await lastFree(this.free!, matrix, center, ask);
    this.scene.store.set({ pose: { matrix: found, label: "At contact" }, playing: false });
  }

  private async askPose(request: PoseRequest): Promise<Rest> {
    const { stage } = this.scene;
    stage.sharing = true;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => (stage.sharing = false), QUIET_MS);
    try {
      const { answer, values } = await this.answerAt(request),
        dragged = this.scene.store.now.pose?.matrix === request.matrix;
      if (isFree(answer.numbers)) this.free = request.matrix;
      else if (this.stopping && dragged && this.free) return void (await this.stopBefore(request.matrix));
      ++this.answers;
      this.answersAgain();
      this.answersAgain = () => {};
      this.failed = "";
      this.learn(request.matrix, answer);
      return () => {
        const { field } = this.scene.store.now;
        if (request.field === field || !this.source.answers(field)) this.paint(answer, values);
      };
    } catch (error) {
      if (this.source.answers(this.scene.store.now.field)) this.clear();
      this.answersAgain = this.fail(error as Error);
    }
    return undefined;
  }

  /** How far each angle goes on from a pose. */
  private learn(matrix: number[], { numbers }: PoseAnswer): void {
    const angles = this.anglesOf(matrix),
      free = freeAngles(numbers);
    this.known = angles && free && { angles, free };
  }

  private paint(answer: PoseAnswer, stored: Uint16Array): void {
    const { joint } = this.scene;
    for (const part of this.source.answers(this.scene.store.now.field) ? joint.parts : []) {
      const told = answer.fields.find((each) => each.body === part.body.name),
        known = told && fieldsOf(part.body).find((field) => field.name === told.name);
      joint.paint(part, known ? readField(known, told, stored, part.body.mesh.vertices) : null);
    }
    this.scene.marks.showContacts(answer.contacts);
    this.showNumbers(answer.numbers);
    this.scene.tellLargest();
    this.scene.stage.draw();
  }

  /** In place where the numbers are the same ones: making elements anew costs more than the rest of an answer. */
  private showNumbers(numbers: PoseAnswer["numbers"]): void {
    const shown = [...this.numbers.querySelectorAll("dd")];
    if (shown.length !== numbers.length || numbers.some(({ name }, i) => shown[i]!.dataset["number"] !== name))
      this.numbers.replaceChildren(
        ...numbers.flatMap(({ name, label }) => [h("dt", {}, label), h("dd", { "data-number": name })]),
      );
    this.numbers.querySelectorAll("dd").forEach((place, i) => {
      const { value, unit, words } = numbers[i]!;
      place.classList.toggle("words", Boolean(words));
      place.dataset["value"] = String(value); // with all its digits
      setText(place, words ?? readable(value, unit));
    });
  }

  /** What a change leads to, wherever it shows. Gives whether it was carried out. */
  private async change(what: Promise<ChangeAnswer>): Promise<boolean> {
    const { report, marks, stage, joint, store } = this.scene,
      { now } = store;
    try {
      const { cut, ...answer } = await what,
        known = report.notes ?? [],
        angles = this.anglesOf(this.matrix(now)),
        moved = answer.frame.center.some((x, k) => x !== report.frame.center[k]);
      Object.assign(report, answer);
      // What is new is also said where it is seen at once.
      for (const note of answer.notes) if (!known.includes(note)) showMessage(note);
      marks.makeLandmarks();
      showRanges(report.ranges, report.motions, report.notes);
      showNotes(answer.notes);
      this.old.hidden = false;
      const part = cut && joint.parts.find(({ body }) => body.name === cut.body);
      if (part) joint.reshape(part, cut.places);
      this.free = null;
      this.known = null;
      this.asking = true;
      if (!cut) store.set({ landmarks: true });
      // About another centre typed angles are another pose.
      if (moved && angles && now.pose && ![FREE_POSE, "At contact"].includes(now.pose.label)) goTo(store, report.frame, angles);
      else this.askAgain(now);
      stage.draw();
      await this.changes?.show({ cut, ...answer });
      return true;
    } catch (error) {
      this.fail(error as Error);
      return false;
    }
  }

  private async save(button: HTMLButtonElement): Promise<void> {
    try {
      const { file } = await this.source.save!();
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
    if (error instanceof CannotCompute) this.giveUp();
    const who = this.source.save ? "The viewer did not answer as it should" : "The page could not compute this";
    return showMessage(`${who}: ${error.message}.`);
  }

  /** A page that cannot compute shows what was recorded, and offers nothing else. */
  private giveUp(): void {
    const { report, store } = this.scene,
      { source } = this;
    this.hold(null);
    this.off = true;
    this.panel.remove();
    this.scene.panel.classList.remove("with-live");
    for (const body of report.bodies) dropFields(body, source.answers);
    for (const option of document.querySelectorAll<HTMLOptionElement>('#scene [name="field"] option'))
      if (source.answers(option.value)) option.remove();
    store.set({ pose: null, field: firstField(fieldGroups([report])) });
  }
}

export function startLive(scene: Scene, source: Source): void {
  new Live(scene, source);
}
