/* Values of the envelope to colours, the same in map and surface. */
import { colorAt, cssRgb } from "./colors";
import type { Envelope } from "./model";

export type Way = "internal" | "external";

export interface EnvelopeRange {
  low: number;
  high: number;
}

export function envelopeRange(envelopes: readonly Envelope[], way: Way): EnvelopeRange {
  const values = envelopes.flatMap((each) => each[way].flat()).filter((x) => x !== null);
  return { low: Math.min(0, ...values), high: Math.max(1, ...values) };
}

export function envelopeColor(value: number | null, { low, high }: EnvelopeRange): string | null {
  return value === null ? null : cssRgb(colorAt("viridis", (value - low) / (high - low)));
}
