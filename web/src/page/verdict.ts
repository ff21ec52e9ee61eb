/* What is said first: the verdict stays beside the scene, each finding leads there; then the motions with where they end;
 * all else is folded away. Without scripts, and on paper, everything is open. */
import { h, readable } from "./dom";
import { bookmark, goTo, leading, measureOf } from "./links";
import { noteMarks } from "./notes";
import type { Range, Report } from "../model";
import { rangeText, side } from "../figures/ranges";

/** Every motion with the angle at which it ends, or that it does not end. Notes about all of them stand once, at the end. */
function limits(report: Report): HTMLElement {
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
        tip = `${range.label} ${readable(range.value, range.unit)}${band ? `, published ${band}` : ""}`;
      return h("li", { class: side(range) ? "outside" : null, title: tip }, ...(motion ? [goTo(motion, ...text)] : text), ...own(range));
    });
  if (marks.length) entries.push(h("li", { class: "about-all" }, "About all motions ", ...marks));
  return h("ul", { class: "limits", "aria-label": "Motions and where they end" }, ...entries);
}

/** Everything that the header has after the verdict goes behind the scene on narrow screens, below the verdict on wide ones.
 * Sentences lead to the motions that show them. */
export function makeVerdict(report: Report): void {
  const header = document.querySelector("#report > header"),
    list = header?.querySelector("ul.summary"),
    count = report.verdict ?? 0;
  if (!header || !list || !count) return;
  const sentences = [...list.children];
  sentences.forEach((item, i) => {
    const text = item.textContent ?? "",
      shown = report.motions.find(({ name }) => name === report.shows?.[i]) ?? measureOf(text, report.ranges);
    leading(item, shown);
    if (!shown) return;
    item.append(...noteMarks(report.ranges.find(({ name }) => name === shown.name), report.notes ?? []));
    if (i < count) item.append(" ", bookmark(shown, text));
  });
  const more = folded(sentences.slice(count)),
    after = h("section", { id: "more", "aria-label": "Motions, and all that was found" }, limits(report), more);
  while (list.nextSibling) after.append(list.nextSibling);
  document.getElementById("scene")?.after(after);
  header.parentElement?.classList.add("with-more");
}

/** In a comparison, so that the views come into sight: below each verdict. */
export function foldSummaries(): void {
  for (const list of document.querySelectorAll("#report > header .item > ul.summary")) {
    const rest = [...list.children].filter((item) => !item.classList.contains("verdict"));
    if (rest.length && rest.length < list.children.length) list.after(folded(rest));
  }
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
