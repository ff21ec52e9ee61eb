/* Texts of the page that lead to the scene: to where a motion ends, or to what a measure is taken from. */
import { h } from "./dom";
import type { Motion, Range } from "../model";

/** A motion or a measure, by its name. */
export interface Shown {
  name: string;
}

/** The address that shows it: for links and bookmarks. */
export function addressOf({ name }: Shown): string {
  return `#${new URLSearchParams({ show: name })}`;
}

/** A button that looks like its text. */
export function goTo(shown: Shown, ...text: (Node | string)[]): HTMLElement {
  return h("button", { type: "button", class: "goto", "data-show": shown.name, title: "Show this in the scene" }, ...text);
}

/** What an element says becomes such a button; without anything to show it stays as it is, as do the marks of notes. */
export function leading(element: Element, shown: Shown | undefined): void {
  const [marks, text] = [true, false].map((are) =>
    [...element.childNodes].filter((node) => are === (node instanceof Element && node.matches(".note-mark"))),
  ) as [ChildNode[], ChildNode[]];
  if (shown) element.replaceChildren(goTo(shown, ...text), ...marks);
}

/** A sign that can be copied or kept as a bookmark. */
export function bookmark(shown: Shown, what: string): HTMLElement {
  return h("a", { class: "bookmark", href: addressOf(shown), title: "Link to this finding", "aria-label": `Link: ${what}` }, "#");
}

/** The measure that a sentence begins with. */
export function measureOf(sentence: string, ranges: readonly Range[]): Range | undefined {
  return ranges.find(({ group, label }) => group === "measure" && sentence.startsWith(`${label} `));
}

/** All of them, also those that are made later, and addresses that are followed within the page. */
export function followLinks(
  motions: readonly Motion[],
  ranges: readonly Range[],
  showMotion: (motion: number) => void,
  showMeasure: (name: string) => void,
): void {
  const show = (name: string | null | undefined): void => {
    const motion = motions.findIndex((each) => each.name === name);
    if (motion >= 0) showMotion(motion);
    else if (name && ranges.some((range) => range.group === "measure" && range.name === name)) showMeasure(name);
  };
  document.addEventListener("click", (event) => show((event.target as Element).closest<HTMLElement>("[data-show]")?.dataset["show"]));
  const follow = (): void => show(new URLSearchParams(location.hash.slice(1)).get("show"));
  window.addEventListener("hashchange", follow);
  follow();
}
