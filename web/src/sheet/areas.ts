/* The area of a surface where a field is at or above a level, from straight lines between the values at the corners: a
 * triangle that the level crosses counts with the part above it. Where a corner has no value a triangle counts as nothing,
 * as it is drawn. */
import { triangleArea } from "../scene/coarse";
import { displacementOf, placesAt } from "../scene/deform";
import type { Part } from "../scene/joint";
import type { Field } from "../model";

/** The share of a triangle with these corner values that is at or above the level; NaN among them: nothing. */
export function shareAbove(x: number, y: number, z: number, level: number): number {
  const least = Math.min(x, y, z),
    most = Math.max(x, y, z);
  if (!(most >= level)) return 0;
  if (least >= level) return 1;
  const middle = Math.max(Math.min(x, y), Math.min(Math.max(x, y), z));
  // What is cut off, below or above the middle corner, is a triangle similar to a half of this one.
  return level <= middle
    ? 1 - (level - least) ** 2 / ((middle - least) * (most - least))
    : (most - level) ** 2 / ((most - least) * (most - middle));
}

export function triangleAreas(positions: Float32Array, indices: ArrayLike<number>): Float64Array {
  const areas = new Float64Array(indices.length / 3);
  for (let t = 0, i = 0; t < areas.length; ++t, i += 3)
    areas[t] = triangleArea(positions, 3 * indices[i]!, 3 * indices[i + 1]!, 3 * indices[i + 2]!);
  return areas;
}

/** `from` is where the values of the step begin. */
export function areaAbove(
  areas: Float64Array,
  indices: ArrayLike<number>,
  values: ArrayLike<number>,
  from: number,
  level: number,
): number {
  let sum = 0;
  for (let t = 0, i = 0; t < areas.length; ++t, i += 3) {
    const share = shareAbove(
      values[from + indices[i]!]!,
      values[from + indices[i + 1]!]!,
      values[from + indices[i + 2]!]!,
      level,
    );
    if (share > 0) sum += share * areas[t]!;
  }
  return sum;
}

/** Computing goes on for this long before the page may do something else. */
const TURN_MS = 12;
/** Levels that are kept for a field. */
const KEPT = 24;

interface Task {
  part: Part;
  field: Field;
  level: number;
  done: Float64Array;
  next: number;
}

/** Areas by step, computed when first asked for and kept. */
export class Areas {
  private readonly known = new WeakMap<Field, Map<number, Task>>();
  private readonly sizes = new WeakMap<Part, Float64Array>();
  private readonly waiting: Task[] = [];

  /** `onReady` is called when all that was asked for is known. */
  constructor(private readonly onReady: () => void) {}

  /** The area at every step of the field; null: not yet. */
  history(part: Part, field: Field, level: number): Float64Array | null {
    const byLevel = this.known.get(field) ?? new Map<number, Task>();
    this.known.set(field, byLevel);
    const found = byLevel.get(level);
    if (found) return found.next === field.steps ? found.done : null;
    if (!part.values.has(field)) return null;
    if (byLevel.size >= KEPT) byLevel.delete(byLevel.keys().next().value!);
    const task = { part, field, level, done: new Float64Array(field.steps), next: 0 };
    byLevel.set(level, task);
    if (this.waiting.push(task) === 1) setTimeout(() => this.work());
    return null;
  }

  get busy(): boolean {
    return this.waiting.length > 0;
  }

  private work(): void {
    const until = performance.now() + TURN_MS;
    while (this.waiting.length && performance.now() < until) {
      const task = this.waiting[0]!;
      this.step(task);
      if (task.next === task.field.steps) this.waiting.shift();
    }
    if (this.waiting.length) setTimeout(() => this.work());
    else this.onReady();
  }

  private step(task: Task): void {
    const { part, field, level, done } = task,
      indices = part.full.array;
    const deforms = displacementOf(part.body, field.motion ?? undefined),
      known = deforms ? undefined : this.sizes.get(part),
      sizes = known ?? triangleAreas(placesAt(part, field.motion ?? undefined, task.next), indices);
    if (!deforms) this.sizes.set(part, sizes);
    done[task.next] = areaAbove(sizes, indices, part.values.get(field)!, task.next * part.body.mesh.vertices, level);
    ++task.next;
  }
}
