/* A stand-in with fewer triangles, for software rendering while things move: one vertex per cell of a grid takes the
 * place of all in it. The vertices, and so their normals and values, stay the same ones. */

/** Of the triangle whose corners begin at these places of the array. */
export function triangleArea(positions: Float32Array, a: number, b: number, c: number): number {
  const ux = positions[b]! - positions[a]!,
    uy = positions[b + 1]! - positions[a + 1]!,
    uz = positions[b + 2]! - positions[a + 2]!;
  const vx = positions[c]! - positions[a]!,
    vy = positions[c + 1]! - positions[a + 1]!,
    vz = positions[c + 2]! - positions[a + 2]!;
  return 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

/** About `target` triangles: a surface meets about area / cell^2 cells and has two triangles for each. */
export function coarseIndices(positions: Float32Array, indices: Uint32Array, target: number): Uint32Array {
  let area = 0;
  for (let t = 0; t < indices.length; t += 3)
    area += triangleArea(positions, 3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!);
  const cell = Math.sqrt((2 * area) / target),
    first = new Map<number, number>();
  const stand = new Uint32Array(positions.length / 3);
  for (let i = 0; i < stand.length; ++i) {
    const place = (k: number): number => Math.floor(positions[3 * i + k]! / cell) + 32768;
    const key = (place(0) * 65536 + place(1)) * 65536 + place(2),
      found = first.get(key);
    if (found === undefined) first.set(key, i);
    stand[i] = found ?? i;
  }
  const kept = new Uint32Array(indices.length);
  let count = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = stand[indices[t]!]!,
      b = stand[indices[t + 1]!]!,
      c = stand[indices[t + 2]!]!;
    if (a === b || b === c || c === a) continue;
    kept[count++] = a;
    kept[count++] = b;
    kept[count++] = c;
  }
  return kept.slice(0, count);
}
