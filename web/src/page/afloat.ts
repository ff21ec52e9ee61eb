/* Keeps the scene in sight: where the page is scrolled past it, it floats in a corner, so that what is chosen in drawings and
 * tables is seen to happen. */
import { h } from "./dom";

export function keepInSight(box: HTMLElement): void {
  const keeper = h("div", { class: "stage-keeper" });
  let dismissed = false;
  const close = h(
    "button",
    { type: "button", class: "dismiss", name: "dismiss", "aria-label": "Put the scene back", onclick: () => float(false, true) },
    "\u00d7",
  );
  const float = (on: boolean, byHand = false): void => {
    if (byHand) dismissed = true;
    if (on === box.classList.contains("afloat")) return;
    if (on) {
      keeper.style.height = `${box.offsetHeight}px`;
      box.before(keeper);
      box.append(close);
    } else {
      keeper.remove();
      close.remove();
    }
    box.classList.toggle("afloat", on);
  };
  const look = (): void => {
    const { bottom } = (keeper.isConnected ? keeper : box).getBoundingClientRect(),
      passed = bottom < 60;
    if (!passed) dismissed = false;
    float(passed && !dismissed);
  };
  window.addEventListener("scroll", look, { passive: true });
  window.addEventListener("resize", look, { passive: true });
  window.addEventListener("beforeprint", () => float(false));
}
