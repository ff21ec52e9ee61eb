/* How bodies look: a soft light from the camera, and the field's colours over the body's own. Written for software
 * rendering: one light, no branches that are not needed, clipping only where a plane is on. */
import * as THREE from "three";
import { isDiverging, LUT_SIZE, lookup, type Scale } from "../colors/colors";

/** Textures that are kept: as many as a sheet has rows, and some for a function that is being dragged. */
const KEPT = 40;

/** What every body of the page shares; views that differ set it before they are drawn. */
export class Shade {
  readonly colors: { value: THREE.DataTexture | null } = { value: null };
  /** low, 1 / (high - low) */
  readonly range = { value: new THREE.Vector2(0, 1) };
  /** 1: where values change sign there is a line. */
  readonly contour = { value: 0 };
  /** Points with dot(xyz, place) > w are cut away; in coordinates of the view. */
  readonly plane = { value: new THREE.Vector4(0, 0, 0, 1) };
  private readonly textures = new Map<string, THREE.DataTexture>();

  setScale(scale: Scale): void {
    const { low, high } = scale,
      key = JSON.stringify(scale);
    this.range.value.set(low, high > low ? 1 / (high - low) : 0);
    this.contour.value = isDiverging(scale.table) && scale.shape !== "threshold" && low < 0 && high > 0 ? 1 : 0;
    this.colors.value = this.textures.get(key) ?? this.makeTexture(key, scale);
  }

  private makeTexture(key: string, scale: Scale): THREE.DataTexture {
    const [oldest] = this.textures;
    if (oldest && this.textures.size >= KEPT) {
      oldest[1].dispose();
      this.textures.delete(oldest[0]);
    }
    const texture = new THREE.DataTexture(lookup(scale), LUT_SIZE, 1);
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    this.textures.set(key, texture);
    return texture;
  }
}

/** Stands for "no value" in the attribute; whatever is interpolated with it stays far below every value. */
export const NO_VALUE = -1e30;

const VERTEX = /* glsl */ `
  varying vec3 vNormal;
  varying vec3 vSeen;
  #ifdef FIELD
    attribute float value;
    varying float vValue;
  #endif
  #ifdef CLIP
    varying vec3 vPlace;
  #endif
  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    vNormal = normalMatrix * normal;
    #ifdef FIELD
      vValue = value;
    #endif
    #ifdef CLIP
      vPlace = place.xyz;
    #endif
    vec4 seen = viewMatrix * place;
    vSeen = seen.xyz;
    gl_Position = projectionMatrix * seen;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 base;
  uniform float opacity;
  varying vec3 vNormal;
  varying vec3 vSeen;
  #ifdef FIELD
    uniform sampler2D colors;
    uniform vec2 range;
    uniform float contour;
    varying float vValue;
  #endif
  #ifdef CLIP
    uniform vec4 plane;
    varying vec3 vPlace;
  #endif
  void main() {
    vec3 color = base;
    float ambient = 0.32;
    #ifdef FIELD
      // Beside places without a value it grows without bounds, and no line is drawn.
      float across = fwidth(vValue);
      if (vValue > -1e20) {
        color = texture2D(colors, vec2(clamp((vValue - range.x) * range.y, 0.0, 1.0) * ${(LUT_SIZE - 1) / LUT_SIZE} + ${0.5 / LUT_SIZE}, 0.5)).rgb;
        ambient = 0.62;
        // Nor where values hardly change: there the sign is that of rounding.
        float change = across * range.y;
        if (contour > 0.5 && change > 0.0015 && change < 0.2 && abs(vValue) < 1.1 * across) color = vec3(0.12, 0.14, 0.17);
      }
    #endif
    #ifdef CLIP
      if (dot(plane.xyz, vPlace) > plane.w) discard;
      if (!gl_FrontFacing) color *= 0.55;
    #endif
    vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
    // To the eye, which is not straight ahead of what comes past it: a thigh bone in flexion, seen from the front, was black.
    vec3 eye = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-vSeen);
    // The light goes round the edge, as from a large window: what faces down keeps its shape rather than being plain dark.
    float toward = dot(n, normalize(vec3(0.28, 0.42, 0.0) + 0.863 * eye));
    float light = ambient + (1.0 - ambient) * max(0.0, (toward + 0.55) / 1.55);
    // Surfaces that turn away darken: edges are seen where one body ends in front of another, as at the joint line.
    light *= mix(0.5, 1.0, smoothstep(0.0, 0.42, dot(n, eye)));
    gl_FragColor = vec4(color * light, opacity);
  }`;

export function bodyMaterial(
  color: readonly number[],
  hasField: boolean,
  closed: boolean,
  shade: Shade,
): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    defines: hasField ? { FIELD: 1 } : {},
    uniforms: {
      base: { value: new THREE.Vector3(...color.map((c) => c / 255)) },
      opacity: { value: 1 },
      colors: shade.colors,
      range: shade.range,
      contour: shade.contour,
      plane: shade.plane,
    },
    side: closed ? THREE.FrontSide : THREE.DoubleSide,
    userData: { closed },
  });
}

export function setClipping(material: THREE.ShaderMaterial, on: boolean): void {
  if ("CLIP" in material.defines === on) return;
  if (on) material.defines["CLIP"] = 1;
  else delete material.defines["CLIP"];
  material.side = on || !material.userData["closed"] ? THREE.DoubleSide : THREE.FrontSide;
  material.needsUpdate = true;
}

/** Faint bodies are drawn after the others, nearest surface only, so that they read as one thin veil. */
export function setFaint(mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>, faint: boolean): void {
  const { material } = mesh;
  material.uniforms["opacity"]!.value = faint ? 0.28 : 1;
  material.transparent = faint;
  material.forceSinglePass = true;
  mesh.renderOrder = faint ? 1 : 0;
}
