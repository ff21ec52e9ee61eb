/* What is said first: the verdict stays beside the scene, each finding leads there; then the motions with where they end;
 * all else is folded away. Without scripts, and on paper, everything is open. */
import { h } from "./dom";
import { banded, readable } from "./numbers";
import { bookmark, goTo, leading, measureOf } from "./links";
import { notedText, noteId, noteMarks } from "./notes";
import type { Range, Report } from "../model";
import { rangeText, side } from "../figures/ranges";

/** Does the verdict speak of this motion? "Adduction 12°, external rotation 20° …" does of both. */
export function isNamed(verdict: readonly string[], label: string, angle: string): boolean {
  const words = [`${label} ${angle}`, `${label} ends at ${angle}`].map((text) => text.toLowerCase());
  return verdict.some(
    (sentence) =>
      (!sentence.startsWith("No sign") && words.some((text) => sentence.toLowerCase().includes(text))) ||
      sentence.startsWith(`${label} cannot be reached`),
  );
}

/** Every motion with the angle at which it ends, or that it does not end. Notes about all of them stand once, at the end. */
function limits(report: Report, verdict: readonly string[]): HTMLElement {
  const ranges = report.ranges.filter((range) => range.group === "motion"),
    { notes = [] } = report,
    common = (ranges[0]?.notes ?? []).filter((i) => ranges.every((range) => range.notes?.includes(i))),
    own = (range: Range): HTMLElement[] =>
      noteMarks({ ...range, notes: range.notes?.filter((i) => !common.includes(i)) ?? [] }, notes),
    marks = ranges[0] ? noteMarks({ ...ranges[0], notes: common }, notes) : [];
  const entries = ranges.map((range) => {
      const motion = report.motions.find(({ name }) => name === range.name),
        angle = motion?.contact?.angle_deg ?? range.value,
        label = `${motion?.label ?? range.label} `,
        band = rangeText(range);
      if (angle === null)
        return h("li", { title: range.why_not }, label, h("b", {}, range.why_not?.startsWith("no stop") ? "free" : "none"), ...own(range));
      const text = [label, h("b", {}, readable(angle, range.unit))],
        tip = `${range.label} ${banded(range.value, range.band, range.unit)}${band ? `, published ${band}` : ""}`;
      const kinds = [side(range) && "outside", isNamed(verdict, label.trim(), readable(angle, range.unit)) && "found"].filter(Boolean);
      return h("li", { class: kinds.join(" ") || null, title: tip }, ...(motion ? [goTo(motion, ...text)] : text), ...own(range));
    });
  if (marks.length) entries.push(h("li", { class: "about-all" }, "About all motions ", ...marks));
  return h("ul", { class: "limits", "aria-label": "Motions and where they end" }, ...entries);
}

/** A number in brackets is not broken over lines. */
function keepTogether(item: Element): void {
  const parts = (item.textContent ?? "").split(/(\([\u2212\d.]+(?:\u2013| to )[^()]{1,12}\))/);
  if (parts.length > 1) item.replaceChildren(...parts.map((part, i) => (i % 2 ? h("span", { class: "together" }, part) : part)));
}

/** Everything that the header has after the verdict goes behind the scene on narrow screens, below the verdict on wide ones.
 * Sentences lead to the motions that show them. */
export function makeVerdict(report: Report): void {
  const header = document.querySelector("#report > header"),
    list = header?.querySelector("ul.summary"),
    count = report.verdict ?? 0;
  if (!header || !list || !count) return;
  const sentences = [...list.children],
    verdict = sentences.slice(0, count).map((item) => item.textContent ?? "");
  sentences.forEach((item, i) => {
    const text = item.textContent ?? "",
      shown = report.motions.find(({ name }) => name === report.shows?.[i]) ?? measureOf(text, report.ranges);
    keepTogether(item);
    leading(item, shown);
    if (!shown) return;
    item.append(...noteMarks(report.ranges.find(({ name }) => name === shown.name), report.notes ?? []));
    if (i < count) item.append(" ", bookmark(shown, text));
  });
  const more = folded(sentences.slice(count)),
    after = h("section", { id: "more", "aria-label": "Motions, and all that was found" }, limits(report, verdict), more);
  while (list.nextSibling) after.append(list.nextSibling);
  document.getElementById("scene")?.after(after);
  header.parentElement?.classList.add("with-more");
}

/** In a comparison, so that the views come into sight: below each verdict what else was found, and what was assumed. */
export function foldSummaries(): void {
  document.querySelectorAll("#report > header .item").forEach((item, i) => {
    const list = item.querySelector(":scope > ul.summary"),
      all = [...(list?.children ?? [])],
      rest = all.filter((sentence) => !sentence.classList.contains("verdict"));
    all.forEach(keepTogether);
    if (list && rest.length && rest.length < all.length) list.after(folded(rest));
    foldNotes(item, i);
  });
}

/** Marks beside numbers lead into the list, which opens for them. */
function foldNotes(item: Element, report: number): void {
  const section = item.querySelector(":scope > section.notes"),
    notes = section?.querySelector(".notes-list");
  if (!section || !notes) return;
  [...notes.children].forEach((note, k) => (note.id = noteId(k, report)));
  const more = h("details", { class: "more noted" }, h("summary", {}, notedText(notes.children.length)), notes);
  section.replaceWith(more);
  openOnPaper(more);
  document.addEventListener("click", (event) => {
    const mark = (event.target as Element).closest<HTMLAnchorElement>("a.note-mark");
    if (mark && more.querySelector(mark.hash)) more.open = true;
  });
}

function folded(rest: Element[]): HTMLElement {
  const more = h(
    "details",
    { class: "more" },
    h("summary", {}, `All that was found (${rest.length} more)`),
    h("ul", { class: "rest" }, ...rest),
  );
  openOnPaper(more);
  return more;
}

function openOnPaper(details: HTMLDetailsElement): void {
  let was = false;
  window.addEventListener("beforeprint", () => ((was = details.open), (details.open = true)));
  window.addEventListener("afterprint", () => (details.open = was));
}
