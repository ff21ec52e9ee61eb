/* Values to colours: a table of colours, and a function that bends the way from the lowest value to the highest along it
 * (Maciel 2005, §5.4.1). All tables that order values do so by lightness, so that they read without colour vision and on
 * grey paper; those with a middle are darkest at both ends. */

export type Table = "viridis" | "cividis" | "ember" | "ice" | "grey" | "blue-red" | "purple-green" | "categories";
export type Shape = "linear" | "s-curve" | "log" | "threshold" | "drawn";
/** Of a drawn function: 0 to 1 along the values, 0 to 1 along the table. */
export type CurvePoint = readonly [at: number, color: number];

export const TABLES: { value: Table; label: string }[] = [
  { value: "viridis", label: "Viridis" },
  { value: "cividis", label: "Cividis" },
  { value: "ember", label: "Ember" },
  { value: "ice", label: "Ice" },
  { value: "grey", label: "Grey" },
  { value: "blue-red", label: "Blue to red, light middle" },
  { value: "purple-green", label: "Purple to green, light middle" },
  { value: "categories", label: "Categories" },
];

export const SHAPES: { value: Shape; label: string }[] = [
  { value: "linear", label: "Linear" },
  { value: "s-curve", label: "S-curve" },
  { value: "log", label: "Logarithmic" },
  { value: "threshold", label: "Threshold" },
  { value: "drawn", label: "As drawn" },
];

/* Lightness is even along each table, or along each half of those with a middle. */
const STOPS: Record<Table, string[]> = {
  viridis: ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"],
  cividis: ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"],
  ember: ["121532", "2e2152", "542970", "8b2876", "bd2b69", "e04659", "f86c4b", "ff9a50", "ffca79", "fff4c7"],
  ice: ["011f46", "023568", "034e8a", "0166a4", "067fba", "019bd1", "42b7de", "75d1e8", "b2e6ee", "e8fafa"],
  grey: ["303030", "f4f4f4"],
  "blue-red": ["02487f", "0672b9", "5a9edb", "adc7e8", "f3f3f3", "eeb9ab", "de7f67", "b74d3b", "8e1213"],
  "purple-green": ["692886", "8f58a6", "b588c6", "d5bddd", "f3f3f3", "aaceac", "5ea869", "2c7d44", "005227"],
  categories: ["0770ac", "f99226", "028946", "ff99c8", "663c9d", "e3d929", "cc2a26", "53d1e5"],
};

/* Apart from the colours of all tissues. */
const BELOW: Rgb = [188, 198, 206],
  ABOVE: Rgb = [94, 22, 120];

type Rgb = [number, number, number];

/** What the reader has chosen for a field; null: from the field. */
export interface Coloring {
  table: Table;
  shape: Shape;
  points: readonly CurvePoint[];
  low: number | null;
  high: number | null;
  level: number | null;
}

/** What that comes to: the ends of the colours, and the threshold. */
export interface Scale {
  table: Table;
  shape: Shape;
  points: readonly CurvePoint[];
  low: number;
  high: number;
  level: number;
  /** How many kinds the values are numbers of; 0: they are amounts. */
  kinds: number;
}

export function isDiverging(table: Table): boolean {
  return table === "blue-red" || table === "purple-green";
}

function channels(hex: string): Rgb {
  const n = parseInt(hex, 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

const clamped = (t: number): number => Math.min(1, Math.max(0, t));

/** The colour at t, 0 to 1 along a table. */
export function tableColor(table: Table, t: number): Rgb {
  const stops = STOPS[table],
    x = clamped(t) * (stops.length - 1),
    i = Math.min(stops.length - 2, Math.floor(x));
  const a = channels(stops[i] ?? "0"),
    b = channels(stops[i + 1] ?? "0");
  return [0, 1, 2].map((k) => Math.round((a[k] ?? 0) + (x - i) * ((b[k] ?? 0) - (a[k] ?? 0)))) as Rgb;
}

/** Straight lines between the points. */
function drawnAt(points: readonly CurvePoint[], t: number): number {
  const next = points.findIndex(([at]) => at >= t),
    [bx, by] = points[next] ?? points.at(-1) ?? [1, 1],
    [ax, ay] = points[next - 1] ?? [bx, by];
  return bx > ax ? ay + ((by - ay) * (t - ax)) / (bx - ax) : by;
}

/** Where along the table a share of the values lies. */
export function bend(shape: Shape, points: readonly CurvePoint[], t: number): number {
  if (shape === "s-curve") return t * t * (3 - 2 * t);
  if (shape === "log") return Math.log1p(99 * t) / Math.log(100);
  return shape === "drawn" ? clamped(drawnAt(points, t)) : t;
}

/** The same with what the table's middle stands for: 0 where values lie on both sides of it, and both sides bent alike. */
function alongTable({ table, shape, points, low, high }: Scale, t: number): number {
  if (!isDiverging(table)) return bend(shape, points, t);
  const zero = low < 0 && high > 0 ? -low / (high - low) : 0.5,
    centred = t < zero ? (0.5 * t) / zero : 0.5 + (0.5 * (t - zero)) / (1 - zero);
  if (shape !== "log") return bend(shape, points, centred);
  return 0.5 + 0.5 * Math.sign(centred - 0.5) * bend(shape, points, Math.abs(2 * centred - 1));
}

/** Where the threshold lies, 0 to 1 between the ends. */
export function levelShare({ low, high, level }: Scale): number {
  return high > low ? (level - low) / (high - low) : 0.5;
}

/** The colour at t, 0 to 1 between the ends of the scale. */
export function colorAt(scale: Scale, t: number): Rgb {
  if (scale.shape === "threshold") return t < levelShare(scale) ? BELOW : ABOVE;
  const at = clamped(alongTable(scale, clamped(t)));
  if (scale.table !== "categories") return tableColor(scale.table, at);
  const stops = STOPS.categories,
    kind = scale.kinds ? Math.round(at * (scale.kinds - 1)) : Math.min(stops.length - 1, Math.floor(at * stops.length));
  return channels(stops[kind % stops.length]!);
}

export const LUT_SIZE = 256;

/** RGBA bytes for a texture. */
export function lookup(scale: Scale): Uint8Array {
  const bytes = new Uint8Array(4 * LUT_SIZE);
  for (let i = 0; i < LUT_SIZE; ++i) bytes.set([...colorAt(scale, i / (LUT_SIZE - 1)), 255], 4 * i);
  return bytes;
}

export function cssRgb(rgb: readonly number[]): string {
  return `rgb(${rgb.join(" ")})`;
}
