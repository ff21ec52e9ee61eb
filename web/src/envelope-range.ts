/* Values of the envelope to colours, the same in map and surface. */
import { cssRgb, tableColor } from "./colors";
import type { Envelope } from "./model";

export type Way = "internal" | "external";

/** The ends of the colours; `below` and `above`: values lie beyond them. */
export interface EnvelopeRange {
  low: number;
  high: number;
  below: boolean;
  above: boolean;
}

/** A few extreme poses turn almost freely and would flatten all the rest: colours span the 2nd to the 98th percentile. */
export function envelopeRange(envelopes: readonly Envelope[], way: Way): EnvelopeRange {
  const values = envelopes
    .flatMap((each) => each[way].flat())
    .filter((x) => x !== null)
    .sort((a, b) => a - b);
  if (!values.length) return { low: 0, high: 1, below: false, above: false };
  const at = (share: number): number => values[Math.round(share * (values.length - 1))]!;
  const low = Math.floor(at(0.02)),
    high = Math.max(low + 1, Math.ceil(at(0.98)));
  return { low, high, below: values[0]! < low, above: values.at(-1)! > high };
}

/** 0 to 1 between the ends. */
export function envelopeShare(value: number, { low, high }: EnvelopeRange): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

export function envelopeColor(value: number | null, range: EnvelopeRange): string | null {
  return value === null ? null : cssRgb(tableColor("viridis", envelopeShare(value, range)));
}
