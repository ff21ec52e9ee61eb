/* What an edit has made old is analysed again by the viewer while the page stays as it is and says how far that has come: by
 * what the analysis itself tells, never by the clock. */
import { h, showMessage } from "../page/dom";
import type { ProgressAnswer } from "./protocol";

/** How often the viewer is asked. */
const ASK_MS = 250;

/** What is shown of an answer; null where nothing is under way. */
export function progressWords({ share, step = 1, steps = step, doing = "" }: ProgressAnswer): string | null {
  return share === null ? null : `Step ${step} of ${steps}: ${doing}`;
}

export function renewal(url: string): HTMLElement {
  const words = h(
      "span",
      { role: "status" },
      "Ranges and numbers follow the edit. Summary, motions, envelope, clock and tables are those from before it. ",
    ),
    bar = h("progress", { "aria-label": "Analysing again", hidden: true }),
    told = h("span", { class: "told" });
  /** Until it is over; a question that fails says nothing of the analysis. */
  const follow = async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const answer = await fetch(`${url}/progress`, { cache: "no-store" }).catch(() => null),
        progress = answer?.ok ? ((await answer.json()) as ProgressAnswer) : null,
        text = progress && progressWords(progress);
      if (text && progress.share !== null && !isOver()) {
        bar.value = progress.share;
        told.textContent = text;
      }
      await new Promise((done) => setTimeout(done, ASK_MS));
    }
  };
  const run = async (): Promise<void> => {
    let over = false;
    button.disabled = true;
    bar.removeAttribute("value"); // nothing is known yet
    bar.hidden = false;
    words.textContent = "Everything is analysed again. ";
    try {
      const page = fetch(`${url}/`, { cache: "no-store" });
      void follow(() => over);
      const answer = await page;
      if (!answer.ok) throw new Error(`the viewer answered ${answer.status}`);
      await answer.blob();
      location.reload();
    } catch (error) {
      words.textContent = "It could not be analysed again. ";
      showMessage(`The page could not be renewed: ${(error as Error).message}.`);
      button.disabled = false;
      bar.hidden = true;
      told.textContent = "";
    } finally {
      over = true;
    }
  };
  const button = h("button", { type: "button", name: "reload", onclick: () => void run() }, "Renew them");
  return h("p", { class: "quiet renewal", hidden: true }, words, button, " ", bar, " ", told);
}
