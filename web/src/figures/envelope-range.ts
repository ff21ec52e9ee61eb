/* Values of the envelope to colours, the same in map and surface. */
import { cssRgb, tableColor } from "../colors/colors";
import { readable } from "../page/numbers";
import type { Envelope } from "../model";

export type Way = "internal" | "external";

/** The ends of the colours; `below` and `above`: values lie beyond them. */
export interface EnvelopeRange {
  low: number;
  high: number;
  below: boolean;
  above: boolean;
}

/** Where lines of equal rotation are drawn. */
export const CONTOURS = [0, 10, 20, 30];

/** The colours are spent where it matters: whether a hip turns by 5 or by 30 degrees decides, by 60 or by 90 does not. */
export function envelopeRange(envelopes: readonly Envelope[], way: Way): EnvelopeRange {
  const low = 0,
    high = 40,
    values = envelopes.flatMap((each) => each[way].flat()).filter((x) => x !== null);
  return { low, high, below: values.some((x) => x < low), above: values.some((x) => x > high) };
}

/** 0 to 1 between the ends. */
export function envelopeShare(value: number, { low, high }: EnvelopeRange): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

export function envelopeColor(value: number | null, range: EnvelopeRange): string | null {
  return value === null ? null : cssRgb(tableColor("viridis", envelopeShare(value, range)));
}

/** One of three states: no free pose, no stop, or the angle with what stops it there. */
export function cellWords(envelope: Envelope, way: Way, i: number, j: number): string {
  const value = envelope[way][i]?.[j] ?? null,
    contact = envelope.contacts?.[way][i]?.[j] ?? null,
    { followed_to } = envelope;
  if (value === null) return "no free pose";
  if (followed_to !== undefined && value >= followed_to - 1e-4)
    return `no stop of ${way} rotation within ${readable(followed_to, "deg")}`;
  const free = value < 0 ? `free when turned back by ${readable(-value, "deg")}` : `${readable(value, "deg")} of ${way} rotation free`;
  return contact === null ? free : `${free}, then ${envelope.contacts!.words[contact]}`;
}
