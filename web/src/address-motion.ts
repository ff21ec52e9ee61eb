/* The address keeps what is shown, so that a link or a bookmark shows it again. */
import type { Motion } from "./model";
import type { Store } from "./store";

/** Browsers complain of addresses that change too often. */
const REST_MS = 500;

export function readMotion(hash: string, motions: readonly Motion[]): { motion: number; step: number } | null {
  const words = new URLSearchParams(hash.replace(/^#/, "")),
    motion = motions.findIndex((each) => each.name === words.get("motion")),
    step = Number(words.get("step") ?? NaN);
  return motion >= 0 && Number.isInteger(step) && step >= 0 && step < motions[motion]!.poses.length
    ? { motion, step }
    : null;
}

export function keepMotion(store: Store, motions: readonly Motion[]): void {
  let later: ReturnType<typeof setTimeout> | undefined,
    first = true;
  store.follow((now, { motion, step }) => {
    if (first || (motion === undefined && step === undefined)) {
      first = false;
      return;
    }
    clearTimeout(later);
    later = setTimeout(() => {
      const name = motions[now.motion]?.name;
      if (name && !now.playing && !now.pose)
        history.replaceState(null, "", `#${new URLSearchParams({ motion: name, step: String(now.step) })}`);
    }, REST_MS);
  });
}
