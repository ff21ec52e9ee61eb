/* What an edit has made old is analysed again by the viewer while the page stays as it is and says how far that has come, by how
 * long it took the last time. */
import { h, showMessage } from "../page/dom";

/** The share that is done, never all of it; null where the last time is not known. */
export function shareDone(seconds: number, lastTook: number): number | null {
  return lastTook > 0 ? Math.min(seconds / lastTook, 0.95) : null;
}

export function renewal(url: string, lastTook: () => number): HTMLElement {
  const words = h(
      "span",
      { role: "status" },
      "Ranges and numbers follow the edit. Summary, motions, envelope, clock and tables are those from before it. ",
    ),
    bar = h("progress", { "aria-label": "Analysing again", hidden: true }),
    time = h("span", { class: "elapsed" });
  const run = async (): Promise<void> => {
    const since = Date.now(),
      tell = (): void => {
        const seconds = (Date.now() - since) / 1000,
          share = shareDone(seconds, lastTook());
        time.textContent = `${Math.round(seconds)} s${share === null ? "" : ` of about ${Math.ceil(lastTook())} s`}`;
        if (share !== null) bar.value = share;
      },
      clock = setInterval(tell, 500);
    button.disabled = true;
    bar.hidden = false;
    words.textContent = "Everything is analysed again. ";
    tell();
    try {
      const answer = await fetch(`${url}/`, { cache: "no-store" });
      if (!answer.ok) throw new Error(`the viewer answered ${answer.status}`);
      await answer.blob();
      location.reload();
    } catch (error) {
      words.textContent = "It could not be analysed again. ";
      showMessage(`The page could not be renewed: ${(error as Error).message}.`);
      button.disabled = false;
      bar.hidden = true;
    } finally {
      clearInterval(clock);
    }
  };
  const button = h("button", { type: "button", name: "reload", onclick: () => void run() }, "Renew them");
  return h("p", { class: "quiet renewal", hidden: true }, words, button, " ", bar, " ", time);
}
