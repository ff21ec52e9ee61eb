/* Vectors on bodies as arrows, at places spread evenly over the surface: on every vertex they would hide it. */
import * as THREE from "three";
import type { Joint, Part } from "./joint";
import type { Vectors } from "../model";

/** At most so many on a body. */
const MOST = 400;
/** The longest arrow, as a part of the body's radius; displacements are drawn as long as they are. */
const LONGEST = 0.4;

/** From the origin along z, one long. */
function arrowShape(): THREE.BufferGeometry {
  const outline = [
    [0, 0],
    [0.035, 0],
    [0.035, 0.68],
    [0.11, 0.68],
    [0, 1],
  ].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(outline, 7).rotateX(Math.PI / 2);
}

function arrowMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: /* glsl */ `
      varying vec3 vNormal;
      void main() {
        vNormal = normalMatrix * mat3(instanceMatrix) * normal;
        gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 vNormal;
      void main() {
        float light = 0.55 + 0.45 * abs(normalize(vNormal).z);
        gl_FragColor = vec4(vec3(0.72, 0.16, 0.09) * light, 1.0);
      }`,
    side: THREE.DoubleSide,
  });
}

/** One vertex in each cell of a grid, as fine as leaves at most MOST of them; and how wide the cells are. */
export function spread(positions: Float32Array, radius: number): { at: number[]; apart: number } {
  for (let size = radius / 12; ; size *= 1.2) {
    const cells = new Map<string, number>();
    for (let i = 0; i < positions.length / 3; ++i) {
      const key = [0, 1, 2].map((k) => Math.floor(positions[3 * i + k]! / size)).join();
      if (!cells.has(key)) cells.set(key, i);
    }
    if (cells.size <= MOST) return { at: [...cells.values()], apart: size };
  }
}

/** Where an arrow begins: at its vertex. One that points into the body, as a force that presses on it, ends there instead: inside
 * nobody would see it. Displacements always begin where the vertex lay. `at` is the vertex's first coordinate in both arrays. */
export function arrowStart(
  places: ArrayLike<number>,
  normals: ArrayLike<number>,
  at: number,
  arrow: { x: number; y: number; z: number },
  displaces: boolean,
): [number, number, number] {
  const inward = arrow.x * normals[at]! + arrow.y * normals[at + 1]! + arrow.z * normals[at + 2]! < 0,
    back = inward && !displaces ? 1 : 0;
  return [places[at]! - back * arrow.x, places[at + 1]! - back * arrow.y, places[at + 2]! - back * arrow.z];
}

interface Drawn {
  mesh: THREE.InstancedMesh;
  at: number[];
  /** Arrows are no thicker than their distance from each other allows, however long they are. */
  apart: number;
}

export class Arrows {
  private readonly shape = arrowShape();
  private readonly material = arrowMaterial();
  private readonly drawn = new Map<Part, Drawn>();

  constructor(private readonly joint: Joint) {}

  /** The vectors of this name at a step of a motion; those whose values are not loaded yet are left out. */
  show(name: string, motion: string | undefined, step: number): void {
    for (const part of this.joint.parts) {
      const vectors = part.body.vectors?.find(
          (each) => each.name === name && (each.motion === null || each.motion === motion),
        ),
        values = vectors && part.vectors.get(vectors),
        known = this.drawn.get(part);
      if (known) known.mesh.visible = false;
      if (!vectors || !values || !part.mesh.visible) continue;
      const drawn = known ?? this.make(part);
      drawn.mesh.visible = true;
      this.place(drawn, part, vectors, values, vectors.steps > 1 ? step : 0);
    }
  }

  private make(part: Part): Drawn {
    const { geometry } = part.mesh,
      { at, apart } = spread(part.rest, geometry.boundingSphere!.radius),
      mesh = new THREE.InstancedMesh(this.shape, this.material, at.length);
    mesh.frustumCulled = false;
    part.mesh.add(mesh);
    const drawn = { mesh, at, apart };
    this.drawn.set(part, drawn);
    return drawn;
  }

  private place(
    { mesh, at, apart }: Drawn,
    part: Part,
    vectors: Vectors,
    values: Float32Array,
    step: number,
  ): void {
    const places = vectors.displaces ? part.rest : (part.mesh.geometry.getAttribute("position").array as Float32Array),
      from = 3 * part.body.mesh.vertices * step,
      radius = part.mesh.geometry.boundingSphere!.radius,
      scale = vectors.displaces ? 1 : (LONGEST * radius) / (vectors.longest || 1);
    const along = new THREE.Vector3(0, 0, 1),
      normals = part.mesh.geometry.getAttribute("normal").array,
      arrow = new THREE.Vector3(),
      begin = new THREE.Vector3(),
      size = new THREE.Vector3(),
      turn = new THREE.Quaternion(),
      matrix = new THREE.Matrix4();
    at.forEach((vertex, i) => {
      arrow.fromArray(values, from + 3 * vertex).multiplyScalar(scale);
      const length = arrow.length();
      if (length > 1e-4 * radius) {
        begin.set(...arrowStart(places, normals, 3 * vertex, arrow, vectors.displaces));
        turn.setFromUnitVectors(along, arrow.divideScalar(length));
        size.set(Math.min(length, 3 * apart), Math.min(length, 3 * apart), length);
        matrix.compose(begin, turn, size);
      } else matrix.makeScale(0, 0, 0);
      mesh.setMatrixAt(i, matrix);
    });
    mesh.instanceMatrix.needsUpdate = true;
  }
}
