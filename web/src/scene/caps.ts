/* Caps of cut bodies: where the plane goes through a body it is filled, so that a cut bone looks solid. Counted in the stencil
 * buffer: behind a place of the plane more back faces than front faces are left of a body that the place lies in. */
import * as THREE from "three";
import type { Part } from "./joint";

/** Cut bone is a little darker than its surface. */
const SHADE = 0.82;

const VERTEX = /* glsl */ `
  varying vec3 vPlace;
  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    vPlace = place.xyz;
    gl_Position = projectionMatrix * viewMatrix * place;
  }`;
const COUNTED = /* glsl */ `
  uniform vec4 plane;
  varying vec3 vPlace;
  void main() {
    if (dot(plane.xyz, vPlace) > plane.w) discard;
    gl_FragColor = vec4(1.0);
  }`;
/** Thin lines at 45 degrees, every 4 mm: a section, not a surface. */
const FILLED = /* glsl */ `
  uniform vec3 base;
  varying vec3 vPlace;
  varying vec2 vAt;
  void main() {
    float stripe = abs(fract((vAt.x + vAt.y) / 4.0) - 0.5);
    gl_FragColor = vec4(base * (stripe < 0.07 ? 0.72 : 1.0), 1.0);
  }`;
const QUAD = /* glsl */ `
  varying vec3 vPlace;
  varying vec2 vAt;
  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    vPlace = place.xyz;
    vAt = position.xy;
    gl_Position = projectionMatrix * viewMatrix * place;
  }`;

function counter(side: THREE.Side, operation: THREE.StencilOp, plane: { value: THREE.Vector4 }): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: COUNTED,
    uniforms: { plane },
    side,
    colorWrite: false,
    depthWrite: false,
    depthFunc: THREE.AlwaysDepth,
    stencilWrite: true,
    stencilFunc: THREE.AlwaysStencilFunc,
    stencilFail: operation,
    stencilZFail: operation,
    stencilZPass: operation,
  });
}

/** The caps of all bodies of one joint. */
export class Caps {
  private readonly made = new Map<Part, { counters: THREE.Mesh[]; quad: THREE.Mesh }>();
  private readonly back: THREE.ShaderMaterial;
  private readonly front: THREE.ShaderMaterial;

  constructor(
    private readonly scene: THREE.Scene,
    private readonly plane: { value: THREE.Vector4 },
  ) {
    this.back = counter(THREE.BackSide, THREE.IncrementWrapStencilOp, plane);
    this.front = counter(THREE.FrontSide, THREE.DecrementWrapStencilOp, plane);
  }

  private make(part: Part, order: number): { counters: THREE.Mesh[]; quad: THREE.Mesh } {
    const counters = [this.back, this.front].map((material) => {
      const mesh = new THREE.Mesh(part.mesh.geometry, material);
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = order;
      mesh.raycast = () => {};
      part.mesh.add(mesh);
      return mesh;
    });
    const quad = new THREE.Mesh(
      new THREE.PlaneGeometry(2000, 2000),
      new THREE.ShaderMaterial({
        vertexShader: QUAD,
        fragmentShader: FILLED,
        uniforms: { base: { value: new THREE.Vector3(...part.body.color.map((c) => (SHADE * c) / 255)) } },
        side: THREE.DoubleSide,
        stencilWrite: true,
        stencilRef: 0,
        stencilFunc: THREE.NotEqualStencilFunc,
        stencilFail: THREE.ZeroStencilOp,
        stencilZFail: THREE.ZeroStencilOp,
        stencilZPass: THREE.ZeroStencilOp,
      }),
    );
    quad.renderOrder = order + 1;
    quad.raycast = () => {};
    this.scene.add(quad);
    return { counters, quad };
  }

  /** Where the plane is now; without a cut nothing is drawn. Open surfaces have no inside. */
  show(parts: readonly Part[], on: boolean): void {
    const { x, y, z, w } = this.plane.value,
      normal = new THREE.Vector3(x, y, z);
    parts.forEach((part, i) => {
      const shown = on && part.mesh.visible && part.mesh.material.userData["closed"] === true;
      let cap = this.made.get(part);
      if (shown && !cap) this.made.set(part, (cap = this.make(part, 10 + 2 * i)));
      if (!cap) return;
      for (const mesh of [...cap.counters, cap.quad]) mesh.visible = shown;
      if (!shown) return;
      // A hair's breadth on the side that stays, so that nothing of its own body hides it.
      cap.quad.position.copy(normal).multiplyScalar(w - 0.005);
      cap.quad.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    });
  }
}
