/* Where the page starts. The text is there already; the rest is added to it. */
import { showComparison } from "./sheet/compare";
import { afterPaint, showMessage } from "./page/dom";
import type { Comparison, Report } from "./model";
import { showReport } from "./single";

function readModel(): Report | Comparison {
  const text = document.getElementById("synovia-report")?.textContent;
  if (!text) throw new Error("it has no report");
  return JSON.parse(text);
}

async function start(): Promise<void> {
  const model = readModel();
  await (model.kind === "compare" ? showComparison(model) : showReport(model));
  document.body.dataset["ready"] = "true";
}

const begin = (): void =>
  void start().catch((error: Error) => {
    document.getElementById("scene")?.classList.remove("awaited");
    showMessage(
      `The interactive part of this page could not start: ${error.message}. Text, drawings and tables are complete.`,
    );
  });
void afterPaint().then(begin); // the text comes first
