/* Bodies that deform: where their vertices are at a step. */
import type { Part } from "./joint";
import type { Body, Vectors } from "../model";

/** What displaces a body during a motion. */
export function displacementOf(body: Body, motion: string | undefined): Vectors | undefined {
  return body.vectors?.find((each) => each.displaces && (each.motion === null || each.motion === motion));
}

/** The vertices of a body at a step of a motion, before its pose. */
export function placesAt(
  part: Pick<Part, "body" | "rest" | "vectors">,
  motion: string | undefined,
  step: number,
): Float32Array {
  const vectors = displacementOf(part.body, motion),
    by = vectors && part.vectors.get(vectors);
  if (!by) return part.rest;
  const from = part.rest.length * (vectors.steps > 1 ? Math.min(step, vectors.steps - 1) : 0);
  return part.rest.map((x, i) => x + by[from + i]!);
}
