/* Blobs to arrays: base64 of raw deflate, differences undone. See model.ts for the layout. */
import type { Body, Field, Vec3, Vectors } from "../model";

/** The bytes of a blob of this page. */
export async function blobBytes(id: string): Promise<Uint8Array> {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new Error(`the page has no blob ${id}`);
  try {
    const stream = new Blob([fromBase64(text.trim())]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`blob ${id} is damaged`);
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text),
    bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export interface Surface {
  positions: Float32Array;
  indices: Uint32Array;
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** Places relative to `about`, so that 32-bit floats keep their precision far from the origin. */
export function decodeSurface(bytes: Uint8Array, mesh: Body["mesh"], about: Vec3): Surface {
  const { vertices, triangles, origin, step } = mesh;
  if (bytes.byteLength !== 6 * vertices + 12 * triangles) throw new Error(`blob ${mesh.blob} has the wrong length`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = new Float32Array(3 * vertices);
  for (let axis = 0; axis < 3; ++axis) {
    const from = (origin[axis] ?? 0) - (about[axis] ?? 0);
    let value = 0;
    for (let i = 0; i < vertices; ++i) {
      value = (value + unzigzag(view.getUint16(2 * (axis * vertices + i), true))) & 0xffff;
      positions[3 * i + axis] = from + step * value;
    }
  }
  const indices = new Uint32Array(3 * triangles);
  let index = 0;
  for (let i = 0; i < indices.length; ++i) {
    index = (index + unzigzag(view.getUint32(6 * vertices + 4 * i, true))) >>> 0;
    if (index >= vertices) throw new Error(`blob ${mesh.blob} names a vertex that it does not have`);
    indices[i] = index;
  }
  return { positions, indices };
}

/** One value per step and vertex; NaN where there is none. */
export function decodeField(bytes: Uint8Array, field: Field, vertices: number): Float32Array {
  if (bytes.byteLength !== 2 * field.steps * vertices) throw new Error(`blob ${field.blob} has the wrong length`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(bytes.byteLength / 2);
  let stored = 0;
  for (let i = 0; i < values.length; ++i) {
    stored = (stored + view.getUint16(2 * i, true)) & 0xffff;
    values[i] = stored === 0xffff ? NaN : field.low + field.step * stored;
  }
  return values;
}

/** Three components per step and vertex, x, y, z together; NaN where there are none. */
export function decodeVectors(bytes: Uint8Array, vectors: Vectors, vertices: number): Float32Array {
  const { steps, step, blob } = vectors;
  if (bytes.byteLength !== 6 * steps * vertices) throw new Error(`blob ${blob} has the wrong length`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(3 * steps * vertices),
    stored = new Int16Array(3 * vertices);
  for (let s = 0, at = 0; s < steps; ++s)
    for (let axis = 0; axis < 3; ++axis)
      for (let i = 0; i < vertices; ++i, at += 2) {
        const k = axis * vertices + i;
        stored[k] = stored[k]! + unzigzag(view.getUint16(at, true)); // wraps
        values[3 * (s * vertices + i) + axis] = stored[k] === -32768 ? NaN : step * stored[k]!;
      }
  return values;
}

export function lengthsOf(vectors: Float32Array): Float32Array {
  const lengths = new Float32Array(vectors.length / 3);
  for (let i = 0; i < lengths.length; ++i)
    lengths[i] = Math.hypot(vectors[3 * i]!, vectors[3 * i + 1]!, vectors[3 * i + 2]!);
  return lengths;
}
