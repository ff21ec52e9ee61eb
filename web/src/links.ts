/* Texts of the page that lead to the scene: to where a motion ends. */
import { h } from "./dom";
import type { Motion } from "./model";

/** A button that looks like its text. */
export function goTo(motion: Motion, ...text: (Node | string)[]): HTMLElement {
  return h("button", { type: "button", class: "goto", "data-motion": motion.name, title: "Show this in the scene" }, ...text);
}

/** What an element says becomes such a button; without a motion it stays as it is. */
export function leading(element: Element, motion: Motion | undefined): void {
  if (motion) element.replaceChildren(goTo(motion, ...element.childNodes));
}

/** All of them, also those that are made later. */
export function followLinks(motions: readonly Motion[], show: (motion: number) => void): void {
  document.addEventListener("click", (event) => {
    const name = (event.target as Element).closest<HTMLElement>("[data-motion]")?.dataset["motion"],
      motion = motions.findIndex((each) => each.name === name);
    if (motion >= 0) show(motion);
  });
}
