/* Motion by name, slider, play. */
import { h, setText } from "../page/dom";
import { readable } from "../page/numbers";
import type { Motion } from "../model";
import { limitStep, type Store } from "../store";

/** A motion takes this long at speed 1. */
const SECONDS = 4;

export function timeline(motions: readonly Motion[], store: Store): HTMLElement {
  const motion = h(
    "select",
    {
      name: "motion",
      "aria-label": "Motion",
      onchange: () => {
        const chosen = Number(motion.value);
        store.set({ motion: chosen, step: limitStep(motions[chosen]!), pose: null });
      },
    },
    ...motions.map((each, i) => h("option", { value: i }, each.label)),
  );
  const play = h("button", { type: "button", name: "play", onclick: () => store.set({ playing: !store.now.playing }) });
  const slider = h("input", {
    type: "range",
    min: 0,
    step: 1,
    name: "step",
    "aria-label": "Place in the motion",
    oninput: () => store.set({ step: Number(slider.value), pose: null, playing: false }),
  });
  const speed = h(
    "select",
    { name: "speed", "aria-label": "Speed", onchange: () => store.set({ speed: Number(speed.value) }) },
    ...[0.25, 0.5, 1, 2, 4].map((x) => h("option", { value: x }, `${x}\u00d7`)),
  );
  const output = h("output");
  let wasPlaying = false;
  store.follow((now) => {
    const { along, poses, label } = motions[now.motion]!;
    const value = readable(along.values[now.step] ?? null, along.unit),
      text = now.pose?.label ?? `${along.label} ${value}`;
    motion.value = String(now.motion);
    slider.max = String(poses.length - 1);
    slider.value = String(now.step);
    slider.setAttribute("aria-valuetext", text);
    // The name stands beside it already, and a share is one of the motion.
    setText(output, !now.pose && (along.label === label || along.unit === "%") ? value : text);
    setText(play, now.playing ? "Pause" : "Play");
    play.setAttribute("aria-pressed", String(now.playing));
    speed.value = String(now.speed);
    if (now.playing && !wasPlaying) run(motions, store);
    wasPlaying = now.playing;
  }, "motion", "step", "pose", "playing", "speed");
  return h("div", { class: "timeline" }, motion, play, slider, output, speed);
}

/** Steps by the clock, so that slow rendering skips steps and keeps the speed. */
function run(motions: readonly Motion[], store: Store): void {
  let place = store.now.step,
    before = performance.now();
  const tick = (time: number): void => {
    if (!store.now.playing) return;
    const count = motions[store.now.motion]!.poses.length;
    if (Math.floor(place) !== store.now.step) place = store.now.step;
    place = (place + (Math.max(0, time - before) / 1000 / SECONDS) * store.now.speed * (count - 1)) % count;
    before = time;
    if (Math.floor(place) !== store.now.step) store.set({ step: Math.floor(place), pose: null });
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
