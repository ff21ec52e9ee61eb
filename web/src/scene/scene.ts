/* The 3D scene of one report: stage, controls, readings. */
import * as THREE from "three";
import { alphaNormal, alphaPlane, drawAlpha } from "./alpha";
import { Arrows } from "./arrows";
import { colorsPanel } from "../colors/color-panel";
import { caseName, cssColor, download, fileName, h, showMessage, uncapitalised } from "../page/dom";
import { readable } from "../page/numbers";
import { fieldGroups, scaleNow } from "../colors/fields";
import { angleWords, hipAngles } from "../live/hip-pose";
import { Joint, viewMatrix, type Hit, type Part } from "./joint";
import { Legend } from "../colors/legend";
import { drawLabels } from "./labels";
import { JOINT_MM, lookFrom, looksOf, type Look } from "./looks";
import { Marks } from "./marks";
import { annotate, viewWords, type Sight } from "./overlay";
import { Shade } from "./material";
import type { Frame, Report, Vec3 } from "../model";
import { arrowsPanel, bodiesPanel, clipPanel, signsPanel } from "./panel";
import { Stage } from "./stage";
import { limitStep, type Choices, type Store } from "../store";
import { timeline } from "./timeline";

/** The cutting plane in coordinates of the view: what lies on the far side of it is taken away. */
export function clipPlane(frame: Frame, now: Readonly<Choices>): THREE.Vector4 {
  if (now.clip === "off" || now.clip === "neck") return new THREE.Vector4(0, 0, 0, 1);
  const axis = new THREE.Vector3(...frame[now.clip]).transformDirection(viewMatrix(frame));
  return new THREE.Vector4(axis.x, axis.y, axis.z, now.clipAt);
}

export class Scene {
  readonly stage: Stage;
  readonly joint: Joint;
  readonly marks: Marks;
  private readonly arrows: Arrows;
  readonly shade = new Shade();
  readonly legend: Legend;
  readonly box = h("div", { class: "stage" });
  readonly toolbar: HTMLElement;
  readonly panel: HTMLElement;
  /** Fields whose values come with the answer to a pose, and the last ones stay until it is there. */
  answers: (field: string) => boolean = () => false;
  /** Bodies that "into the cup" has hidden, to be shown again by the other views. */
  private hiddenForCup: string[] = [];
  private readonly groups;
  private readonly loading: Promise<void>;
  private readonly reading = h("div", { class: "reading", hidden: true });
  private readonly waiting = h("div", { class: "waiting" }, "Preparing the scene");

  constructor(
    readonly report: Report,
    readonly store: Store,
    place: HTMLElement,
  ) {
    // Bodies are unpacked while the browser prepares its graphics.
    this.joint = new Joint(report, this.shade);
    this.loading = this.joint.load(showMessage);
    this.stage = new Stage(this.box, null);
    this.marks = new Marks(this.joint);
    this.arrows = new Arrows(this.joint);
    this.groups = fieldGroups([report]);
    this.legend = new Legend(store, this.groups);
    this.toolbar = this.makeToolbar();
    this.panel = h(
      "div",
      { class: "panel" },
      bodiesPanel(report.bodies, store),
      this.groups.length ? colorsPanel(this.groups, store) : null,
      arrowsPanel(report.bodies, store),
      clipPanel(store, report.frame.whole ? this.reach() : JOINT_MM, report.alpha !== undefined),
      signsPanel(store),
    );
    this.box.append(this.legend.element, this.reading, this.waiting);
    place.append(
      h("h2", { class: "sr-only" }, "The joint in three dimensions"),
      this.toolbar,
      this.box,
      ...(report.motions.length ? [timeline(report.motions, store)] : []),
      this.panel,
    );
    place.parentElement?.classList.add("with-scene");
    this.prepareCanvas();
  }

  async load(): Promise<void> {
    await this.loading;
    await this.joint.loadField(this.store.now.field, showMessage);
    this.waiting.remove();
    this.stage.radius = this.joint.radius;
    this.stage.views = [
      {
        element: this.box,
        scene: this.joint.scene,
        prepare: (camera, height) => this.marks.resize(camera, height),
        coarsen: (on) => this.joint.setCoarse(on),
        annotate: (pen, width, height, sight) => this.annotate(pen, width, height, sight, ""),
      },
    ];
    this.store.follow((now, changed) => this.update(now, changed));
    this.lookFirst();
    this.stage.drawNow();
    performance.mark("synovia-first-frame");
    this.box.dataset["ready"] = "true";
  }

  private update(now: Readonly<Choices>, changed: Partial<Choices>): void {
    const motion = this.report.motions[now.motion];
    if (changed.field !== undefined && !this.answers(now.field)) {
      void this.stage.drawAfter(this.joint.loadField(now.field, showMessage).then(() => this.showStep(now)));
    }
    if (changed.arrows)
      void this.stage.drawAfter(this.joint.loadVectors(changed.arrows, showMessage).then(() => this.showStep(now)));
    const group = this.groups.find((each) => each.name === now.field);
    this.shade.setScale(scaleNow(group, now));
    this.joint.setLook(now);
    if (now.pose) {
      this.joint.setStep(undefined, 0);
      this.joint.setPose(now.pose.matrix);
    } else this.joint.setStep(motion, now.step);
    const { alpha, frame } = this.report,
      through = now.clip === "neck" && alpha;
    this.shade.plane.value.copy(through ? alphaPlane(this.joint, alpha, now.clipAt) : clipPlane(frame, now));
    this.joint.showCaps();
    if (through && changed.clip === "neck") this.lookAtNeck();
    this.marks.show(now.landmarks, now.contacts, now.pose ? null : now.motion);
    this.stage.setPerspective(now.perspective);
    this.showStep(now);
  }

  private showStep(now: Readonly<Choices>): void {
    if (!this.answers(now.field))
      this.joint.showField(now.field, this.report.motions[now.motion]?.name, now.pose ? -1 : now.step);
    this.arrows.show(now.pose ? "" : now.arrows, this.report.motions[now.motion]?.name, now.step);
    this.tellLargest();
    this.stage.draw();
  }

  /** mm from the centre to the farthest corner of the meshes, which are known before they are unpacked. */
  private reach(): number {
    const { bodies, frame } = this.report;
    return Math.ceil(
      Math.max(1, ...bodies.flatMap(({ mesh }) => mesh.origin.map((x, k) => Math.abs(x - frame.center[k]!) + 65535 * mesh.step))),
    );
  }

  /** The largest value on view, on which body and at which vertex. */
  private largest(): { value: number; part: Part; vertex: number } | null {
    let found: { value: number; part: Part; vertex: number } | null = null;
    for (const part of this.joint.parts) {
      if (!part.shown || !part.mesh.visible) continue;
      const { values } = part.shown;
      let vertex = -1;
      for (let i = 0; i < values.length; ++i)
        if (!Number.isNaN(values[i]!) && !(vertex >= 0 && values[i]! <= values[vertex]!)) vertex = i;
      if (vertex >= 0 && !(found && values[vertex]! <= found.value)) found = { value: values[vertex]!, part, vertex };
    }
    return found;
  }

  /** Also for those who cannot point at it. */
  tellLargest(): void {
    const found = this.largest();
    this.legend.setLargest(found?.value ?? NaN, found?.part.body.label ?? "");
  }

  look(look: Look): void {
    const { hidden } = this.store.now;
    const all = this.report.frame.whole;
    this.stage.look(lookFrom(this.report.frame, look), all ? this.joint.radius : Math.min(JOINT_MM, this.joint.radius));
    if (look === "cup") {
      const names = this.report.bodies.filter((body) => body.moves && !hidden.has(body.name)).map((body) => body.name);
      this.hiddenForCup.push(...names);
      this.store.set({ hidden: new Set([...hidden, ...names]), only: null });
    } else if (this.hiddenForCup.length) {
      const names = this.hiddenForCup.splice(0);
      this.store.set({ hidden: new Set([...hidden].filter((name) => !names.includes(name))) });
    }
  }

  private annotate(
    pen: CanvasRenderingContext2D,
    width: number,
    height: number,
    sight: Sight,
    title: string,
  ): void {
    const { frame, motions } = this.report,
      { now } = this.store,
      motion = motions[now.motion],
      along = motion?.along;
    const pose =
      now.pose?.label ??
      (motion && along
        ? // "in 90° of flexion: 48°", not "in 90° of flexion 48°"
          `${motion.label}${along.label === motion.label ? (/\d/.test(motion.label) ? ":" : "") : `, ${uncapitalised(along.label)}`} ${readable(along.values[now.step] ?? null, along.unit)}`
        : ""),
      // A share of a motion says little to those who think in angles, and 0° nothing of the way to where a motion begins.
      unsaid = along?.unit === "%" || (along?.values[now.step] === 0 && along.values[now.step + 1] === 0),
      matrix = unsaid && !now.pose ? motion?.poses[now.step] : undefined,
      angles = matrix ? hipAngles(frame, matrix) : null;
    const words = viewWords(frame, sight.camera.position.clone().sub(sight.target));
    annotate(pen, width, height, frame, sight, [title, pose, angles ? angleWords(angles) : "", words].filter(Boolean));
    drawLabels(pen, width, height, this.marks.signs);
    if (now.clip === "neck" && this.report.alpha) drawAlpha(pen, width, height, this.joint, this.report.alpha, sight);
  }

  /** Where a motion ends, seen from where its contact is seen. */
  showLimit(motion: number): void {
    this.store.set({ motion, step: limitStep(this.report.motions[motion]!), pose: null, playing: false });
    const { contact } = this.report.motions[motion]!;
    if (contact) this.lookAt(contact.point);
    else this.lookFirst();
  }

  /** Where the largest value is, in the scene; null: nowhere. */
  private largestPlace(): Vec3 | null {
    const found = this.largest();
    return found && this.meanPlace(found.part, [found.vertex]);
  }

  /** A ligament of a hip that alone is coloured: it may lie behind the joint. */
  private coloredLigament(): Part | null {
    const [part, other] = this.joint.parts.filter(({ shown }) => shown),
      hip = !this.report.frame.looks;
    return hip && part?.body.tissue === "ligament" && !other ? part : null;
  }

  /** All of it, from its own side. */
  private lookAtWhole(part: Part): void {
    const places = part.mesh.geometry.getAttribute("position") as THREE.BufferAttribute,
      { radius } = new THREE.Box3().setFromBufferAttribute(places).getBoundingSphere(new THREE.Sphere());
    this.lookAt(this.meanPlace(part, part.shown!.values.keys()), radius);
  }

  /** Of vertices of a body as it is drawn, in the scene. */
  private meanPlace({ mesh }: Part, vertices: Iterable<number>): Vec3 {
    const places = mesh.geometry.getAttribute("position") as THREE.BufferAttribute,
      place = new THREE.Vector3(),
      sum = new THREE.Vector3();
    let count = 0;
    for (const vertex of vertices) {
      sum.add(place.fromBufferAttribute(places, vertex));
      ++count;
    }
    this.joint.scene.updateMatrixWorld(true);
    sum
      .divideScalar(count)
      .applyMatrix4(mesh.matrixWorld)
      .applyMatrix4(viewMatrix(this.report.frame).invert());
    const [x, y, z] = this.joint.origin;
    return [sum.x + x, sum.y + y, sum.z + z];
  }

  /** From outside the joint on the side of the contact, never through the pelvis, and not from far above or below. */
  private lookAt(point: Vec3, radius = 0): void {
    const { frame } = this.report,
      outward = frame.side === "right" ? 1 : -1,
      place = new THREE.Vector3(...point.map((x, k) => x - this.joint.origin[k]!)).applyMatrix4(
        viewMatrix(frame),
      ),
      from = place.clone().normalize();
    from.x = outward * Math.max(outward * from.x, 0.25);
    if (Math.abs(from.z) < 0.35) from.z = from.z > 0 ? 0.35 : -0.35;
    const level = Math.hypot(from.x, from.z);
    from.y = Math.min(0.55 * level, Math.max(-0.35 * level, from.y));
    const target = place.clone().multiplyScalar(0.7);
    this.stage.look(from, Math.max(42, 0.5 * place.length() + 30, 1.1 * radius + place.distanceTo(target)), target);
  }

  /** Straight at the plane through the neck, with the head in the middle. */
  private lookAtNeck(): void {
    const alpha = this.report.alpha!,
      { fixed, moving, origin } = this.joint,
      place = fixed.matrix.clone().multiply(moving.matrix),
      [x, y, z] = alpha.center.map((each, k) => each - origin[k]!) as Vec3;
    this.stage.look(
      alphaNormal(alpha).transformDirection(place),
      2.2 * alpha.radius_mm,
      new THREE.Vector3(x, y, z).applyMatrix4(place),
    );
  }

  /** What a measure is taken from: alpha and the offset in the plane through the neck, versions from above, the others from the
   * front, as on a radiograph. */
  showMeasure(name: string): void {
    const standing = { step: 0, pose: null, playing: false } as const;
    if (/^(alpha|head_neck)/.test(name) && this.report.alpha) return this.store.set({ ...standing, clip: "neck", clipAt: 0 });
    this.store.set({ ...standing, clip: "off", landmarks: true });
    this.look(/version|torsion/.test(name) ? "above" : "anterior");
  }

  reset(): void {
    this.hiddenForCup = [];
    this.store.set({ hidden: new Set(), only: null, clip: "off", clipAt: 0, pose: null, perspective: true });
    this.lookFirst();
  }

  /** A thigh that is bent towards the viewer hides the joint: the impingement test is seen from the side. A ligament that
   * limits a motion is seen from its own side. What has no front is seen from a corner. */
  private lookFirst(): void {
    const { motions, frame, verdict } = this.report,
      place = verdict && (motions[this.store.now.motion]?.contact?.point ?? this.largestPlace()),
      ligament = this.coloredLigament();
    if (frame.whole) this.stage.look(new THREE.Vector3(0.45, 0.5, -1), this.joint.radius);
    else if (place) this.lookAt(place);
    else if (ligament) this.lookAtWhole(ligament);
    else this.look(this.report.motions[this.store.now.motion]?.name === "impingement_test" ? "lateral" : "anterior");
  }

  fitAll(): void {
    this.stage.fit(this.joint.places());
  }

  screenshot(): void {
    this.stage.drawNow();
    const { canvas } = this.stage,
      picture = h("canvas", { width: canvas.width, height: canvas.height }),
      pen = picture.getContext("2d")!;
    const scale = canvas.width / this.box.clientWidth;
    pen.fillStyle = cssColor("--scene");
    pen.fillRect(0, 0, picture.width, picture.height);
    pen.drawImage(canvas, 0, 0);
    pen.scale(scale, scale);
    const [width, height] = [picture.width / scale, picture.height / scale],
      { camera, controls } = this.stage;
    this.annotate(pen, width, height, { camera, target: controls.target }, caseName(this.report));
    this.legend.paint(pen, width, height, cssColor("--ink"));
    picture.toBlob((blob) => blob && download(fileName(caseName(this.report), "png"), blob), "image/png");
  }

  private makeToolbar(): HTMLElement {
    const button = (label: string, action: () => void, name: string): HTMLButtonElement =>
      h("button", { type: "button", name, onclick: action }, label);
    const projection = button(
      "Orthographic",
      () => this.store.set({ perspective: !this.store.now.perspective }),
      "orthographic",
    );
    this.store.follow((now) => projection.setAttribute("aria-pressed", String(!now.perspective)), "perspective");
    return h(
      "div",
      { class: "toolbar row", role: "toolbar", "aria-label": "Views" },
      ...looksOf(this.report.frame).map((each) => button(each.label, () => this.look(each.name), each.name)),
      button("Fit all", () => this.fitAll(), "fit"),
      projection,
      button("Reset", () => this.reset(), "reset"),
      button("Screenshot", () => this.screenshot(), "screenshot"),
    );
  }

  private prepareCanvas(): void {
    const { canvas } = this.stage;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${this.report.title}: arrow keys turn the view, plus and minus zoom`);
    canvas.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.stage.key(event.key)) event.preventDefault();
    });
    let asked = false;
    const read = (event: PointerEvent): void => {
      if (event.buttons || asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        this.tell(this.joint.pick(this.stage.ray(event.clientX, event.clientY, this.box)));
      });
    };
    canvas.addEventListener("pointermove", read);
    canvas.addEventListener("pointerup", read);
    canvas.addEventListener("pointerleave", () => (this.reading.hidden = true));
  }

  private tell(hit: Hit | null): void {
    this.reading.hidden = !hit;
    if (!hit) return;
    const value = hit.field ? `, ${uncapitalised(hit.field.label)} ${readable(hit.value, hit.field.unit)}` : "";
    this.reading.textContent = `${hit.part.body.label}${value}`;
    Object.assign(this.reading.dataset, { body: hit.part.body.name, vertex: hit.vertex, value: hit.value });
  }
}
