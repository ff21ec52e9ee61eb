/* The one canvas: a renderer shared by all views, drawn only when something has changed, and the camera that they
 * share. */
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Sight } from "./overlay";

/** A rectangle of the stage and what is drawn in it. */
export interface View {
  element: HTMLElement;
  /** Seen by the camera's mirror image in the sagittal plane: a left joint beside a right one. */
  mirrored?: boolean;
  scene: THREE.Scene;
  /** Called before it is drawn. */
  prepare: (camera: THREE.Camera, height: number) => void;
  /** Fewer triangles, or all of them. */
  coarsen: (on: boolean) => void;
  /** Draws what a picture needs to be read over it. */
  annotate?: (pen: CanvasRenderingContext2D, width: number, height: number, sight: Sight) => void;
}

const FOV = 28;
/** How long nothing must change before the still picture is drawn in full. */
const REST_MS = 180;
/** Frames slower than this are drawn coarser while things move. */
const SLOW_MS = 90;

/** Across the whole width of paper: about 200 for each inch. */
const PAPER_PIXELS = 1500;

function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const unmasked = gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL;
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(unmasked ?? gl.RENDERER)));
}

export class Stage {
  readonly canvas = document.createElement("canvas");
  /** Over the canvas: signs of the views, which need no graphics processor. */
  private readonly overlay = document.createElement("canvas");
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  views: View[] = [];
  /** Of everything, about the origin. */
  radius = 100;
  private readonly perspective = new THREE.PerspectiveCamera(FOV);
  private readonly orthographic = new THREE.OrthographicCamera();
  private pending = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** While somebody else needs the page's time, such as answers to poses: drawing then takes no more than half of it, or a
   * third where the processor has to draw. */
  sharing = false;
  private readonly pause: number;
  private free = 0;
  private loading = 0;
  /** Pixels of the canvas per pixel of the page. More than the screen has smooths the edges, as multisampling would at a
   * higher price; software renderers get that only at rest. */
  private readonly fine: number;
  private moving: number;
  private last = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;

  /** `surface` takes the mouse; throws where there is no WebGL. */
  constructor(
    private readonly box: HTMLElement,
    surface: HTMLElement | null,
  ) {
    this.renderer = new THREE.WebGLRenderer({
      canvas: this.canvas,
      alpha: true,
      antialias: false,
      stencil: true, // for the caps of cut bodies
      preserveDrawingBuffer: true,
    });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // shaders write what the screen shows
    this.renderer.setScissorTest(true);
    const software = isSoftware(this.renderer.getContext());
    this.fine = Math.max(software ? 1.5 : 2, Math.min(devicePixelRatio, 2));
    this.moving = software ? 1 : this.fine;
    this.pause = software ? 2 : 1;
    this.camera = this.perspective;
    this.perspective.position.set(0, 0, -400);
    const over = document.createElement("div");
    over.className = "overlay";
    over.ariaHidden = "true";
    over.append(this.overlay);
    box.prepend(this.canvas, over);
    this.controls = new OrbitControls(this.camera, surface ?? this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.draw());
    // On paper the picture stays as it is and is only scaled.
    new ResizeObserver(() => matchMedia("print").matches || this.draw()).observe(box);
    window.addEventListener("beforeprint", () => this.putPictures());
    window.addEventListener("afterprint", () => this.removePictures());
    this.canvas.addEventListener("webglcontextrestored", () => this.draw());
  }

  /** Soon, once, however often it is asked for. */
  draw(): void {
    delete this.canvas.dataset["rest"];
    if (this.pending || this.waiting) return;
    const wait = this.sharing ? this.free - performance.now() : 0;
    if (wait < 1) return this.drawSoon();
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      this.drawSoon();
    }, wait);
  }

  private drawSoon(): void {
    this.pending = requestAnimationFrame((time) => {
      const begin = performance.now();
      this.pending = 0;
      const since = time - this.last < 1000 ? time - this.last : 0;
      this.last = time;
      if (since > SLOW_MS && this.rest) this.moving = Math.max(0.6, this.moving * 0.85);
      this.drawAt(this.moving);
      clearTimeout(this.rest);
      // Where frames are slow the next one is late too, and no reason to think that all is at rest.
      this.rest = setTimeout(() => this.drawNow(), Math.max(REST_MS, 3 * since));
      // Once this runs the frame has been handed over: only then is it known what it took.
      setTimeout(() => {
        const end = performance.now();
        this.free = end + this.pause * (end - begin);
      });
    });
  }

  /** Once values have been unpacked; until then the stage is busy. */
  async drawAfter(work: Promise<void>): Promise<void> {
    this.box.ariaBusy = "true";
    ++this.loading;
    await work;
    if (--this.loading === 0) this.box.ariaBusy = null;
    this.draw();
  }

  /** At once and in full. */
  drawNow(): void {
    clearTimeout(this.rest);
    clearTimeout(this.waiting);
    this.waiting = undefined;
    cancelAnimationFrame(this.pending);
    this.rest = undefined;
    this.pending = 0;
    this.drawAt(this.fine);
    this.canvas.dataset["rest"] = "true";
  }

  /** Whether what is seen is drawn in full already, also where nobody has said yet that the box has another size. */
  private isAtRest(): boolean {
    const { width, height } = this.box.getBoundingClientRect(),
      size = this.renderer.getSize(new THREE.Vector2());
    return "rest" in this.canvas.dataset && size.x === Math.round(width) && size.y === Math.round(height);
  }

  /** Paper gets a picture of each view: what WebGL has drawn may not reach it, and views break over pages, which one canvas
   * behind them cannot follow. No finer than paper shows it, or many views would make a large file. */
  private putPictures(): void {
    this.removePictures();
    const outer = this.box.getBoundingClientRect(),
      scale = this.canvas.width / outer.width,
      fewer = Math.min(1, PAPER_PIXELS / this.canvas.width);
    for (const view of this.views) {
      const { element } = view,
        { left, top, width, height } = element.getBoundingClientRect(),
        picture = document.createElement("canvas");
      picture.width = fewer * scale * width;
      picture.height = fewer * scale * height;
      // Only this part of the canvas, and as pixels: a PDF would hold the whole canvas for every view.
      const pen = picture.getContext("2d", { willReadFrequently: true }),
        from = [left - outer.left, top - outer.top, width, height].map((x) => scale * x) as [
          number,
          number,
          number,
          number,
        ];
      pen?.drawImage(this.canvas, ...from, 0, 0, picture.width, picture.height);
      if (pen) {
        pen.scale(fewer * scale, fewer * scale);
        this.annotateView(view, pen, width, height);
      }
      const frame = document.createElement("div");
      frame.className = "picture";
      frame.append(picture);
      element.append(frame);
    }
  }

  private removePictures(): void {
    if (!this.isAtRest()) this.drawNow();
    for (const picture of this.box.querySelectorAll(".picture")) picture.remove();
  }

  private drawAt(ratio: number): void {
    const { width, height } = this.box.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== Math.round(width) || size.y !== Math.round(height) || this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(Math.round(width), Math.round(height), false);
    }
    for (const view of this.views) this.drawView(view, ratio);
    this.drawOverlay(Math.round(width), Math.round(height));
  }

  private drawOverlay(width: number, height: number): void {
    const ratio = Math.min(2, Math.max(1, devicePixelRatio)),
      pen = this.overlay.getContext("2d");
    if (!pen) return;
    if (this.overlay.width !== ratio * width || this.overlay.height !== ratio * height)
      Object.assign(this.overlay, { width: ratio * width, height: ratio * height });
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const outer = this.box.getBoundingClientRect();
    for (const view of this.views) {
      const inner = view.element.getBoundingClientRect();
      pen.save();
      pen.translate(inner.left - outer.left, inner.top - outer.top);
      this.annotateView(view, pen, inner.width, inner.height);
      pen.restore();
    }
  }

  /** The signs of a view, as the camera sees it. */
  annotateView(view: View, pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { annotate } = view;
    if (annotate)
      this.seeing(view, (target) => {
        this.aim(width, height);
        annotate(pen, width, height, { camera: this.camera, target });
      });
  }

  private drawView(view: View, ratio: number): void {
    const outer = this.box.getBoundingClientRect(),
      inner = view.element.getBoundingClientRect();
    const left = inner.left - outer.left,
      bottom = outer.bottom - inner.bottom;
    this.seeing(view, () => {
      this.aim(inner.width, inner.height);
      view.prepare(this.camera, inner.height);
      this.renderer.setViewport(left, bottom, inner.width, inner.height);
      this.renderer.setScissor(left, bottom, inner.width, inner.height);
      const coarse = ratio < this.fine;
      if (coarse) view.coarsen(true);
      this.renderer.render(view.scene, this.camera);
      if (coarse) view.coarsen(false);
    });
  }

  /** With the camera where the view has it, and back. */
  private seeing<T>(view: View | undefined, act: (target: THREE.Vector3) => T): T {
    if (!view?.mirrored) return act(this.controls.target);
    const { camera } = this,
      place = camera.position.clone(),
      turn = camera.quaternion.clone(),
      target = this.controls.target.clone();
    camera.position.x *= -1;
    camera.lookAt(target.setX(-target.x));
    camera.updateMatrixWorld();
    const result = act(target);
    camera.position.copy(place);
    camera.quaternion.copy(turn);
    camera.updateMatrixWorld();
    return result;
  }

  /** Fits the camera to a viewport of this size. */
  private aim(width: number, height: number): void {
    const distance = this.camera.position.length(),
      aspect = width / height;
    const near = Math.max(distance - 1.2 * this.radius, 0.004 * this.radius),
      far = distance + 1.2 * this.radius;
    if (this.camera === this.perspective) this.perspective.aspect = aspect;
    else {
      const half = this.orthographic.top;
      this.orthographic.left = -half * aspect;
      this.orthographic.right = half * aspect;
    }
    this.camera.near = this.camera === this.perspective ? near : distance - 1.2 * this.radius;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
  }

  /** Looks at the joint from a direction, so that a ball of `radius` about the target fills the height. */
  look(from: THREE.Vector3, radius: number, target = new THREE.Vector3()): void {
    const distance = (0.95 * radius) / Math.sin((FOV * Math.PI) / 360);
    this.controls.target.copy(target);
    this.camera.position.copy(from).normalize().multiplyScalar(distance).add(target);
    this.setOrthographicSize(distance);
    this.controls.update();
    this.draw();
  }

  /** From where an address says. */
  lookAgain(place: THREE.Vector3, target: THREE.Vector3): void {
    this.controls.target.copy(target);
    this.camera.position.copy(place);
    this.setOrthographicSize(place.distanceTo(target));
    this.controls.update();
    this.draw();
  }

  /** From where it looks now, so near that all these points just fit, with a little to spare. Each gives x, y, z in turn. */
  fit(points: Iterable<Float32Array>): void {
    const { width, height } = this.box.getBoundingClientRect(),
      aspect = width / height,
      t = 0.94 * Math.tan((FOV * Math.PI) / 360),
      back = this.camera.position.clone().sub(this.controls.target).normalize(),
      right = new THREE.Vector3(0, 1, 0).cross(back).normalize(),
      up = back.clone().cross(right);
    // Of a place: across, up, towards the camera; the greatest of each side seen in perspective, and plainly.
    const most = new Float64Array(8).fill(-Infinity),
      [rx, ry, rz] = right.toArray(),
      [ux, uy, uz] = up.toArray(),
      [bx, by, bz] = back.toArray();
    for (const each of points)
      for (let i = 0; i < each.length; i += 3) {
        const x = each[i]!,
          y = each[i + 1]!,
          z = each[i + 2]!,
          a = rx! * x + ry! * y + rz! * z,
          b = ux! * x + uy! * y + uz! * z,
          c = bx! * x + by! * y + bz! * z;
        const sides = [a + c * t * aspect, -a + c * t * aspect, b + c * t, -b + c * t, a, -a, b, -b];
        for (let k = 0; k < 8; ++k) if (sides[k]! > most[k]!) most[k] = sides[k]!;
      }
    if (!Number.isFinite(most[0]!)) return;
    const plain = this.camera === this.orthographic ? 4 : 0,
      middle = (k: number): number => (most[plain + k]! - most[plain + k + 1]!) / 2,
      half = (k: number): number => (most[plain + k]! + most[plain + k + 1]!) / 2,
      needed = Math.max(half(0) / aspect, half(2)) / t,
      // Perspective: from the origin along the line of sight; the target lies in the plane of the origin.
      target = right.multiplyScalar(middle(0)).addScaledVector(up, middle(2));
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(back, needed);
    this.setOrthographicSize(needed);
    this.controls.update();
    this.draw();
  }

  private setOrthographicSize(distance: number): void {
    this.orthographic.top = distance * Math.tan((FOV * Math.PI) / 360);
    this.orthographic.bottom = -this.orthographic.top;
    this.orthographic.zoom = 1;
  }

  /** The other projection, from the same place at the same size. */
  setPerspective(on: boolean): void {
    const next = on ? this.perspective : this.orthographic;
    if (next === this.camera) return;
    const target = this.controls.target,
      offset = this.camera.position.clone().sub(target);
    if (on) offset.setLength(this.orthographic.top / this.orthographic.zoom / Math.tan((FOV * Math.PI) / 360));
    else this.setOrthographicSize(offset.length());
    next.position.copy(target).add(offset);
    this.controls.object = this.camera = next;
    this.controls.update();
    this.draw();
  }

  /** The ray under a place of the screen in a view. */
  ray(clientX: number, clientY: number, element: HTMLElement): THREE.Raycaster {
    const box = element.getBoundingClientRect(),
      caster = new THREE.Raycaster(),
      view = this.views.find((each) => each.element === element);
    const x = (2 * (clientX - box.left)) / box.width - 1,
      y = 1 - (2 * (clientY - box.top)) / box.height;
    this.seeing(view, () => {
      this.aim(box.width, box.height);
      caster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    });
    return caster;
  }

  /** Arrow keys turn, + and - come closer and go away; true when the key was one of these. */
  key(key: string): boolean {
    const turn = Math.PI / 24;
    if (key === "ArrowLeft") this.controls.rotateLeft(turn);
    else if (key === "ArrowRight") this.controls.rotateLeft(-turn);
    else if (key === "ArrowUp") this.controls.rotateUp(turn);
    else if (key === "ArrowDown") this.controls.rotateUp(-turn);
    else if (key === "+" || key === "=") this.controls.dollyIn(1.15);
    else if (key === "-") this.controls.dollyOut(1.15);
    else return false;
    this.controls.update();
    this.draw();
    return true;
  }
}
