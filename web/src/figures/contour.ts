/* Lines of equal value over a grid, by marching squares: straight across each square of four known values. */

/** Segments x1, y1, x2, y2 in units of the grid: columns to the right, rows up. */
export function contourLines(values: readonly (readonly (number | null)[])[], level: number): [number, number, number, number][] {
  const lines: [number, number, number, number][] = [];
  for (let i = 0; i + 1 < values.length; ++i)
    for (let j = 0; j + 1 < values[i]!.length; ++j) {
      const corners: [number, number, number | null][] = [
        [i, j, values[i]![j]!],
        [i + 1, j, values[i + 1]![j]!],
        [i + 1, j + 1, values[i + 1]![j + 1]!],
        [i, j + 1, values[i]![j + 1]!],
      ];
      if (corners.some(([, , value]) => value === null)) continue;
      const crossings = corners.flatMap(([x, y, a], k): [number, number][] => {
        const [u, v, b] = corners[(k + 1) % 4]!;
        if (a! >= level === b! >= level) return [];
        const t = (level - a!) / (b! - a!);
        return [[x + t * (u - x), y + t * (v - y)]];
      });
      for (let k = 0; k + 1 < crossings.length; k += 2) lines.push([...crossings[k]!, ...crossings[k + 1]!]);
    }
  return lines;
}
