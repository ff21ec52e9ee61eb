/* Contact points and landmarks: signs of a fixed size on screen, distinguished by shape as well as colour. What lies
 * behind a surface shows through faintly. */
import * as THREE from "three";
import type { Joint } from "./joint";
import type { Sign } from "./labels";
import type { Vec3 } from "../model";

type Shape = "diamond" | "cross";

function picture(shape: Shape): THREE.Texture {
  const scale = 2,
    size = 22 * scale,
    canvas = document.createElement("canvas"),
    pen = canvas.getContext("2d")!;
  canvas.width = canvas.height = size;
  pen.translate(size / 2, size / 2);
  pen.lineJoin = "round";
  for (const [color, line] of [
    ["#ffffff", 7],
    [shape === "diamond" ? "#c2261b" : "#0a4f7d", 3.4],
  ] as const) {
    pen.strokeStyle = color;
    pen.lineWidth = line * scale * 0.8;
    pen.beginPath();
    const r = 6.5 * scale;
    if (shape === "diamond")
      (pen.moveTo(0, -r), pen.lineTo(r, 0), pen.lineTo(0, r), pen.lineTo(-r, 0), pen.closePath());
    else (pen.moveTo(-r, 0), pen.lineTo(r, 0), pen.moveTo(0, -r), pen.lineTo(0, r));
    pen.stroke();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

/** Two sprites: one hidden by what is in front, one faint that is not. */
function sign(shape: Shape, point: Vec3, center: Vec3): THREE.Group {
  const texture = picture(shape),
    group = new THREE.Group();
  for (const front of [true, false]) {
    const sprite = new THREE.Sprite(
      new THREE.SpriteMaterial({
        map: texture,
        depthTest: front,
        depthWrite: false,
        sizeAttenuation: false,
        opacity: front ? 1 : 0.75,
      }),
    );
    sprite.renderOrder = front ? 4 : 3;
    sprite.userData["size"] = shape === "diamond" ? 1.5 : 1;
    group.add(sprite);
  }
  group.position.set(point[0] - center[0], point[1] - center[1], point[2] - center[2]);
  return group;
}

export class Marks {
  private readonly landmarks: THREE.Group[] = [];
  /** The landmarks on view as they were drawn last, with their names. */
  signs: Sign[] = [];
  /** By motion. */
  private readonly contacts = new Map<number, THREE.Group[]>();
  /** Of the pose, wherever it comes from. */
  private readonly touching: THREE.Group[] = [];
  private contactsShown = true;

  constructor(private readonly joint: Joint) {
    this.makeLandmarks();
    const { motions, bodies } = joint.report;
    motions.forEach((motion, index) => {
      if (!motion.contact) return;
      const there = sign("diamond", motion.contact.point, joint.origin);
      const carried = sign("diamond", motion.contact.mobile_point, joint.origin);
      joint.fixed.add(there);
      (bodies.some((body) => body.moves) ? joint.moving : joint.fixed).add(carried);
      this.contacts.set(index, [there, carried]);
    });
  }

  /** Again, after the markers of the report have changed. */
  makeLandmarks(): void {
    for (const mark of this.landmarks.splice(0)) mark.removeFromParent();
    const { markers, bodies } = this.joint.report;
    for (const marker of markers) {
      const mark = sign("cross", marker.point, this.joint.origin);
      (bodies.find((body) => body.name === marker.body)?.moves ? this.joint.moving : this.joint.fixed).add(mark);
      mark.name = marker.label;
      this.landmarks.push(mark);
    }
  }

  /** `motion`: the one whose limit is marked; null: none. */
  show(landmarks: boolean, contacts: boolean, motion: number | null): void {
    this.contactsShown = contacts;
    for (const mark of this.landmarks) mark.visible = landmarks;
    for (const mark of this.touching) mark.visible = contacts;
    for (const [index, marks] of this.contacts) for (const mark of marks) mark.visible = contacts && index === motion;
  }

  /* * Where the bodies touch at the pose, as a viewer reports it. */
  showContacts(points: readonly Vec3[]): void {
    for (const mark of this.touching.splice(0)) mark.removeFromParent();
    for (const point of points) {
      const mark = sign("diamond", point, this.joint.origin);
      mark.visible = this.contactsShown;
      this.joint.fixed.add(mark);
      this.touching.push(mark);
    }
  }

  /** Keeps the signs at 22 pixels, contacts at 33, whatever the camera and the viewport; and notes where they are. */
  resize(camera: THREE.Camera, height: number): void {
    const seen = this.landmarks.filter(({ visible }) => visible);
    if (seen.length) this.joint.scene.updateMatrixWorld(true);
    this.signs = seen.map((mark) => {
      const { x, y, z } = mark.getWorldPosition(new THREE.Vector3()).project(camera);
      return { label: mark.name, x: Math.abs(z) > 1 ? NaN : x, y }; // behind the camera: nowhere
    });
    const perspective = (camera as THREE.PerspectiveCamera).isPerspectiveCamera;
    const scale = perspective
      ? (44 / height) * Math.tan(((camera as THREE.PerspectiveCamera).fov * Math.PI) / 360)
      : ((22 / height) * ((camera as THREE.OrthographicCamera).top - (camera as THREE.OrthographicCamera).bottom)) /
        (camera as THREE.OrthographicCamera).zoom;
    for (const mark of [...this.landmarks, ...this.touching, ...[...this.contacts.values()].flat()])
      for (const sprite of mark.children) {
        const size = scale * (sprite.userData["size"] as number);
        sprite.scale.set(size, size, 1);
      }
  }
}
