/* Values to colours. The default is perceptually uniform; all but the threshold order values by lightness, so that they
 * read without colour vision and on grey paper. */

export type Transfer = "viridis" | "cividis" | "grey" | "s-curve" | "log" | "threshold";

export const TRANSFERS: { value: Transfer; label: string }[] = [
  { value: "viridis", label: "Uniform (viridis)" },
  { value: "cividis", label: "Uniform (cividis)" },
  { value: "grey", label: "Linear grey" },
  { value: "s-curve", label: "S-curve" },
  { value: "log", label: "Logarithmic" },
  { value: "threshold", label: "Threshold" },
];

const STOPS = {
  viridis: ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"],
  cividis: ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"],
  grey: ["303030", "f4f4f4"],
};

type Rgb = [number, number, number];

function channels(hex: string): Rgb {
  const n = parseInt(hex, 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

function along(stops: string[], t: number): Rgb {
  const x = Math.min(1, Math.max(0, t)) * (stops.length - 1),
    i = Math.min(stops.length - 2, Math.floor(x));
  const a = channels(stops[i] ?? "0"),
    b = channels(stops[i + 1] ?? "0");
  return [0, 1, 2].map((k) => Math.round((a[k] ?? 0) + (x - i) * ((b[k] ?? 0) - (a[k] ?? 0)))) as Rgb;
}

/** The colour at t (0 to 1 between the ends); `level` is where the threshold lies. */
export function colorAt(transfer: Transfer, t: number, level = 0.5): Rgb {
  switch (transfer) {
    case "grey":
      return along(STOPS.grey, t);
    case "cividis":
      return along(STOPS.cividis, t);
    case "s-curve":
      return along(STOPS.viridis, t * t * (3 - 2 * t));
    case "log":
      return along(STOPS.viridis, Math.log1p(99 * t) / Math.log(100));
    case "threshold":
      return t < level ? [188, 198, 206] : [198, 60, 28];
    default:
      return along(STOPS.viridis, t);
  }
}

export const LUT_SIZE = 256;

/** RGBA bytes for a texture. */
export function lookup(transfer: Transfer, level: number): Uint8Array {
  const bytes = new Uint8Array(4 * LUT_SIZE);
  for (let i = 0; i < LUT_SIZE; ++i) bytes.set([...colorAt(transfer, i / (LUT_SIZE - 1), level), 255], 4 * i);
  return bytes;
}

export function cssRgb(rgb: readonly number[]): string {
  return `rgb(${rgb.join(" ")})`;
}
