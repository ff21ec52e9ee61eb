/* One report's bodies in three dimensions. Coordinates of the view: the joint's centre at the origin, x to the
 * patient's right, y up, z backward. */
import * as THREE from "three";
import { acceleratedRaycast, MeshBVH } from "three-mesh-bvh";
import { Caps } from "./caps";
import { coarseIndices } from "./coarse";
import { blobBytes, decodeField, decodeSurface, decodeVectors, lengthsOf } from "./decode";
import { displacementOf, placesAt } from "./deform";
import { fieldsOf } from "../colors/fields";
import { bodyMaterial, NO_VALUE, setClipping, setFaint, type Shade } from "./material";
import type { Body, Field, Frame, Motion, Report, Vec3, Vectors } from "../model";
import type { Choices } from "../store";

const COARSE_TRIANGLES = 30_000;

export interface Part {
  body: Body;
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  /** All triangles, and fewer for while things move; made when first wanted. */
  full: THREE.BufferAttribute;
  coarse: THREE.BufferAttribute | null;
  /** Where the vertices are as the body lies. */
  rest: Float32Array;
  /** What it is displaced by now, and the step; null: nothing. */
  displaced: { vectors: Vectors; step: number } | null;
  /** By field; decoded when first shown. */
  values: Map<Field, Float32Array>;
  vectors: Map<Vectors, Float32Array>;
  /** What is on the surface now. */
  shown: { field: Field; values: Float32Array } | null;
}

export interface Hit {
  part: Part;
  /** The nearest vertex of the triangle hit, and its value; NaN: none. */
  vertex: number;
  value: number;
  field: Field | null;
  /** In the scene's own coordinates, as the body lies. */
  point: Vec3;
}

/** Scene to view; the axes are made orthogonal, up first. */
export function viewMatrix(frame: Frame): THREE.Matrix4 {
  const up = new THREE.Vector3(...frame.up).normalize();
  const forward = new THREE.Vector3(...frame.forward);
  forward.addScaledVector(up, -forward.dot(up)).normalize();
  const right = forward.clone().cross(up);
  return new THREE.Matrix4().makeBasis(right, up, forward.negate()).transpose();
}

/** A pose of the report (12 numbers) with the origin moved to `center`. */
export function poseMatrix(pose: readonly number[], center: Vec3): THREE.Matrix4 {
  const n = (i: number): number => pose[i] ?? 0,
    [x, y, z] = center;
  const shift = [0, 4, 8].map((i, k) => n(i) * x + n(i + 1) * y + n(i + 2) * z + n(i + 3) - (center[k] ?? 0));
  return new THREE.Matrix4().set(
    n(0),
    n(1),
    n(2),
    shift[0]!,
    n(4),
    n(5),
    n(6),
    shift[1]!,
    n(8),
    n(9),
    n(10),
    shift[2]!,
    0,
    0,
    0,
    1,
  );
}

/** Normals, weighted by area, into an array of zeros; and whether the surface is closed: then its area vectors sum to
 * nothing. */
function addNormals(
  positions: Float32Array,
  indices: Uint32Array,
  normals: Float32Array,
): { closed: boolean; volume: number } {
  let sx = 0,
    sy = 0,
    sz = 0,
    area = 0,
    volume = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!,
      b = 3 * indices[t + 1]!,
      c = 3 * indices[t + 2]!;
    const ux = positions[b]! - positions[a]!,
      uy = positions[b + 1]! - positions[a + 1]!,
      uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!,
      vy = positions[c + 1]! - positions[a + 1]!,
      vz = positions[c + 2]! - positions[a + 2]!;
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    ((normals[a]! += nx), (normals[a + 1]! += ny), (normals[a + 2]! += nz));
    ((normals[b]! += nx), (normals[b + 1]! += ny), (normals[b + 2]! += nz));
    ((normals[c]! += nx), (normals[c + 1]! += ny), (normals[c + 2]! += nz));
    ((sx += nx), (sy += ny), (sz += nz));
    area += Math.hypot(nx, ny, nz);
    volume += positions[a]! * nx + positions[a + 1]! * ny + positions[a + 2]! * nz;
  }
  return { closed: Math.hypot(sx, sy, sz) < 1e-4 * area, volume };
}

/** Of a closed surface back faces may be left out, which halves the work of software rendering. One that is inside out
 * (negative volume) is turned. */
function shape(positions: Float32Array, indices: Uint32Array): { normals: Float32Array; closed: boolean } {
  const normals = new Float32Array(positions.length),
    { closed, volume } = addNormals(positions, indices, normals);
  if (closed && volume < 0) {
    for (let t = 0; t < indices.length; t += 3) [indices[t + 1], indices[t + 2]] = [indices[t + 2]!, indices[t + 1]!];
    for (let i = 0; i < normals.length; ++i) normals[i] = -normals[i]!;
  }
  return { normals, closed };
}

export class Joint {
  readonly scene = new THREE.Scene();
  /** In the scene's axes about the centre; `moving` carries the pose. */
  readonly fixed = new THREE.Group();
  readonly moving = new THREE.Group();
  readonly parts: Part[] = [];
  /** Where the view has its origin: the centre as the page began, even if the viewer moves that later. */
  readonly origin: Vec3;
  /** Of everything, about the centre. */
  radius = 1;
  private clipped = false;
  private readonly caps: Caps;

  constructor(
    readonly report: Report,
    private readonly shade: Shade,
  ) {
    for (const group of [this.fixed, this.moving]) group.matrixAutoUpdate = false;
    this.origin = [...report.frame.center];
    this.fixed.matrix.copy(viewMatrix(report.frame));
    this.fixed.add(this.moving);
    this.scene.add(this.fixed);
    this.caps = new Caps(this.scene, shade.plane);
  }

  /* * Unpacks all bodies at once, off the main thread as far as the browser can; a broken one is reported and left out. */
  async load(onError: (message: string) => void): Promise<void> {
    const parts = this.report.bodies.map((body) =>
      this.makePart(body).catch((error: Error) => void onError(`${body.label} cannot be shown: ${error.message}.`)),
    );
    this.parts.push(...(await Promise.all(parts)).filter((part) => part instanceof Object));
    for (const motion of this.report.motions) this.reach(motion);
  }

  /** Bodies with motions of their own may go far from where they lie. */
  private reach(motion: Motion): void {
    const center = new THREE.Vector3();
    for (const { body, mesh } of this.parts) {
      const sphere = mesh.geometry.boundingSphere!;
      for (const pose of motion.bodies?.[this.report.bodies.indexOf(body)] ?? []) {
        center.copy(sphere.center).applyMatrix4(poseMatrix(pose, this.origin));
        this.radius = Math.max(this.radius, center.length() + sphere.radius);
      }
    }
  }

  private async makePart(body: Body): Promise<Part> {
    const { positions, indices } = decodeSurface(await blobBytes(body.mesh.blob), body.mesh, this.origin);
    const geometry = new THREE.BufferGeometry();
    const full = new THREE.BufferAttribute(indices, 1);
    geometry.setIndex(full);
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    const { normals, closed } = shape(positions, indices);
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
    const colored = fieldsOf(body).length > 0;
    if (colored) {
      const values = new Float32Array(body.mesh.vertices).fill(NO_VALUE);
      geometry.setAttribute("value", new THREE.BufferAttribute(values, 1).setUsage(THREE.DynamicDrawUsage));
    }
    geometry.computeBoundingSphere();
    const sphere = geometry.boundingSphere!;
    this.radius = Math.max(this.radius, sphere.center.length() + sphere.radius);
    const mesh = new THREE.Mesh(geometry, bodyMaterial(body.color, colored, closed, this.shade));
    mesh.raycast = acceleratedRaycast;
    mesh.matrixAutoUpdate = false;
    setClipping(mesh.material, this.clipped);
    (body.moves ? this.moving : this.fixed).add(mesh);
    const part: Part = {
      body,
      mesh,
      full,
      coarse: null,
      rest: positions.slice(),
      displaced: null,
      values: new Map(),
      vectors: new Map(),
      shown: null,
    };
    for (const vectors of body.vectors ?? []) if (vectors.displaces) await this.loadOf(part, vectors);
    return part;
  }

  /** Also into the sphere that encloses the body: where it may go. */
  private async loadOf(part: Part, vectors: Vectors): Promise<Float32Array> {
    const found = part.vectors.get(vectors);
    if (found) return found;
    const values = decodeVectors(await blobBytes(vectors.blob), vectors, part.body.mesh.vertices);
    part.vectors.set(vectors, values);
    const sphere = part.mesh.geometry.boundingSphere!;
    if (vectors.displaces) {
      sphere.radius += vectors.longest;
      this.radius = Math.max(this.radius, sphere.center.length() + sphere.radius);
    }
    return values;
  }

  /* * Gets the vectors of a name ready on every body. Broken ones are reported. */
  async loadVectors(name: string, onError: (message: string) => void): Promise<void> {
    for (const part of this.parts)
      for (const vectors of part.body.vectors ?? [])
        if (vectors.name === name)
          await this.loadOf(part, vectors).catch((error: Error) =>
            onError(`${vectors.label} of ${part.body.label} cannot be shown: ${error.message}.`),
          );
  }

  /** Puts the vertices where they are at a step; without a motion where the mesh has them. */
  private deform(part: Part, motion: string | undefined, step: number): void {
    const vectors = displacementOf(part.body, motion),
      { displaced } = part;
    if (vectors === displaced?.vectors && (!vectors || displaced?.step === step)) return;
    part.displaced = vectors ? { vectors, step } : null;
    this.place(part, placesAt(part, motion, step));
  }

  private place(part: Part, places: ArrayLike<number>): void {
    const { geometry } = part.mesh,
      position = geometry.getAttribute("position") as THREE.BufferAttribute,
      normal = geometry.getAttribute("normal") as THREE.BufferAttribute;
    (position.array as Float32Array).set(places);
    (normal.array as Float32Array).fill(0);
    addNormals(position.array as Float32Array, part.full.array as Uint32Array, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = true;
    delete geometry.boundsTree; // made again where it is pointed at
  }

  /** Another shape of the same triangles: three coordinates of the scene for each vertex. */
  reshape(part: Part, places: Float64Array): void {
    for (let i = 0; i < places.length; ++i) part.rest[i] = places[i]! - this.origin[i % 3]!;
    this.place(part, part.rest);
  }

  /** The field of this name that a body has during a motion. */
  static fieldOf(body: Body, name: string, motion: string | undefined): Field | undefined {
    const named = fieldsOf(body).filter((field) => field.name === name);
    return (
      named.find((field) => field.motion === motion && field.motion !== null) ??
      named.find((field) => field.motion === null || field.steps === 1)
    );
  }

  /* * Gets the values of a field ready on every body. Broken ones are reported once. */
  async loadField(name: string, onError: (message: string) => void): Promise<void> {
    const wanted = this.parts.flatMap((part) => fieldsOf(part.body).map((field) => ({ part, field })));
    const loading = wanted
      .filter(({ part, field }) => field.name === name && !part.values.has(field) && (field.blob || field.vectors))
      .map(async ({ part, field }) => {
        const { body, values } = part;
        try {
          if (field.vectors) values.set(field, lengthsOf(await this.loadOf(part, field.vectors)));
          else values.set(field, decodeField(await blobBytes(field.blob), field, body.mesh.vertices));
        } catch (error) {
          values.set(field, new Float32Array(body.mesh.vertices * field.steps).fill(NaN));
          onError(`${field.label} of ${body.label} cannot be shown: ${(error as Error).message}.`);
        }
      });
    await Promise.all(loading);
  }

  setPose(pose: readonly number[] | undefined): void {
    if (pose) this.moving.matrix.copy(poseMatrix(pose, this.origin));
    else this.moving.matrix.identity();
    this.moving.matrixWorldNeedsUpdate = true;
  }

  /** A step of a motion, in which all moving bodies go together or each on its own, and some deform. */
  setStep(motion: Motion | undefined, step: number): void {
    this.setPose(motion?.poses[step]);
    for (const part of this.parts) {
      const { body, mesh } = part;
      this.deform(part, motion?.name, step);
      const own = motion?.bodies?.[this.report.bodies.indexOf(body)]?.[step];
      if (own) mesh.matrix.copy(poseMatrix(own, this.origin));
      else mesh.matrix.identity();
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  /** Colours for a step of a motion; without `step` only what holds throughout is shown. */
  showField(name: string, motion: string | undefined, step: number): void {
    for (const part of this.parts) {
      const field = Joint.fieldOf(part.body, name, motion),
        all = field && part.values.get(field);
      const count = part.body.mesh.vertices;
      if (!field || !all || (field.steps > 1 && step < 0)) this.paint(part, null);
      else {
        const from = count * (field.steps > 1 ? Math.min(step, field.steps - 1) : 0);
        this.paint(part, { field, values: all.subarray(from, from + count) });
      }
    }
  }

  /** Values on a body now; the same array twice costs nothing. */
  paint(part: Part, shown: Part["shown"]): void {
    const attribute = part.mesh.geometry.getAttribute("value") as THREE.BufferAttribute | undefined;
    const before = part.shown?.values;
    part.shown = shown;
    if (
      !attribute ||
      (before && shown && before.buffer === shown.values.buffer && before.byteOffset === shown.values.byteOffset) ||
      (!before && !shown)
    )
      return;
    const target = attribute.array as Float32Array;
    if (!shown) target.fill(NO_VALUE);
    else
      for (let i = 0; i < target.length; ++i) target[i] = Number.isNaN(shown.values[i]!) ? NO_VALUE : shown.values[i]!;
    attribute.needsUpdate = true;
  }

  /** Draws a joint of many triangles with about COARSE_TRIANGLES, or with all. */
  setCoarse(on: boolean): void {
    const total = this.parts.reduce((sum, part) => sum + part.body.mesh.triangles, 0);
    if (total <= 1.5 * COARSE_TRIANGLES) return;
    for (const part of this.parts) {
      const { geometry } = part.mesh,
        share = Math.ceil((COARSE_TRIANGLES * part.body.mesh.triangles) / total);
      const positions = geometry.getAttribute("position").array as Float32Array;
      if (on)
        part.coarse ??= new THREE.BufferAttribute(coarseIndices(positions, part.full.array as Uint32Array, share), 1);
      geometry.setIndex(on ? part.coarse : part.full);
    }
  }

  setLook(now: Readonly<Choices>): void {
    this.clipped = now.clip !== "off";
    for (const { body, mesh } of this.parts) {
      mesh.visible = now.only ? now.only === body.name : !now.hidden.has(body.name);
      setFaint(mesh, now.faint.has(body.name) && now.only !== body.name);
      setClipping(mesh.material, this.clipped);
    }
  }

  /** The vertices of the visible bodies as they are seen, in coordinates of the view. */
  *places(): Generator<Float32Array> {
    const place = new THREE.Vector3();
    this.scene.updateMatrixWorld(true);
    for (const { mesh } of this.parts) {
      if (!mesh.visible) continue;
      const position = mesh.geometry.getAttribute("position") as THREE.BufferAttribute,
        seen = new Float32Array(position.array.length);
      for (let i = 0; i < position.count; ++i)
        place.fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld).toArray(seen, 3 * i);
      yield seen;
    }
  }

  /** Fills what the plane cuts, wherever it is now. */
  showCaps(): void {
    this.caps.show(this.parts, this.clipped);
  }

  /** The nearest surface under a ray; solid bodies go before faint ones. */
  pick(caster: THREE.Raycaster): Hit | null {
    const visible = this.parts.filter((part) => part.mesh.visible);
    // Indirect: the triangles keep their order, by which their areas are known.
    for (const { mesh } of visible) mesh.geometry.boundsTree ??= new MeshBVH(mesh.geometry, { indirect: true });
    const plane = this.shade.plane.value;
    const cut = (p: THREE.Vector3): boolean => this.clipped && plane.x * p.x + plane.y * p.y + plane.z * p.z > plane.w;
    for (const faint of [false, true]) {
      const group = visible.filter((part) => part.mesh.material.transparent === faint);
      const hit = caster
        .intersectObjects(
          group.map((part) => part.mesh),
          false,
        )
        .find((each) => !cut(each.point));
      const part = hit && group.find((each) => each.mesh === hit.object);
      if (hit?.face && part) return this.reading(part, hit.face, hit.point);
    }
    return null;
  }

  private reading(part: Part, face: THREE.Face, point: THREE.Vector3): Hit {
    const local = part.mesh.worldToLocal(point.clone()),
      corner = new THREE.Vector3();
    const position = part.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    const distance = (i: number): number => corner.fromBufferAttribute(position, i).distanceToSquared(local);
    const vertex = [face.a, face.b, face.c].reduce((best, i) => (distance(i) < distance(best) ? i : best));
    const c = this.origin;
    return {
      part,
      vertex,
      value: part.shown?.values[vertex] ?? NaN,
      field: part.shown?.field ?? null,
      point: [local.x + c[0], local.y + c[1], local.z + c[2]],
    };
  }
}
