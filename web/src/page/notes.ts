/* Assumptions and warnings: as a list, and as marks beside the numbers that they are about. */
import { h } from "./dom";
import type { Range } from "../model";

/** In place of those that the page came with. */
export function showNotes(notes: readonly string[]): void {
  const place = document.querySelector(".notes"),
    list = h("ol", { class: "notes-list" }, ...notes.map((note, i) => h("li", { id: noteId(i) }, note))),
    section = h("section", { class: "notes", id: "notes" }, h("h2", {}, "Assumptions and warnings"), list);
  if (place) place.replaceWith(...(notes.length ? [section] : []));
  else if (notes.length) document.querySelector("#report .notice")?.before(section);
}

/** "1\u20135" for those in a row: there is little room beside a number. */
export function numberText(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const x of numbers) {
    const last = runs.at(-1);
    if (last && x === last[1] + 1) last[1] = x;
    else runs.push([x, x]);
  }
  return runs.map(([from, to]) => (to > from + 1 ? `${from}\u2013${to}` : to > from ? `${from} ${to}` : `${from}`)).join(" ");
}

/** "3 assumptions and warnings" */
export function notedText(count: number): string {
  return `${count} ${count === 1 ? "assumption or warning" : "assumptions and warnings"}`;
}

/** Where a note stands: of several reports each has its own list. */
export function noteId(note: number, report?: number): string {
  return report === undefined ? `note-${note + 1}` : `note-${report + 1}-${note + 1}`;
}

/** The numbers of the notes about a number; they show the texts, and lead to the first. */
export function noteMarks(range: Range | undefined, notes: readonly string[], report?: number): HTMLElement[] {
  const about = (range?.notes ?? []).filter((i) => notes[i] !== undefined),
    texts = about.map((i) => notes[i]!).join("\n"),
    numbers = numberText(about.map((i) => i + 1));
  return about.length
    ? [h("a", { class: "note-mark", href: `#${noteId(about[0]!, report)}`, title: texts, "aria-label": `${numbers}: ${texts}` }, numbers)]
    : [];
}
