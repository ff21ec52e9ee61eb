/* Where the page starts. */
import type { Comparison, Report } from "./model";

declare const LICENCES: string;

function readModel(): Report | Comparison {
  const text = document.getElementById("synovia-report")?.textContent;
  if (!text) throw new Error("the page has no report");
  return JSON.parse(text);
}

console.info(readModel().title, LICENCES.length);
