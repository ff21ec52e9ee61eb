/* What concerns the whole page: theme, data, licences, keys. */
import { download, fileName, h } from "./dom";
import { themeButton, toggleTheme } from "./theme";

declare const LICENCES: string;

/** Keys that work wherever nothing else wants them. */
export interface Shortcut {
  key: string;
  does: string;
  run: () => void;
}

function helpDialog(shortcuts: readonly Shortcut[]): HTMLDialogElement {
  const rows = [
    ...shortcuts.map(({ key, does }) => [key === " " ? "Space" : key, does] as const),
    ["Arrows", "on the scene: turn the view; on the slider: step; on the map: read"],
    ["+ \u2212", "on the scene: closer, further"],
  ];
  return h(
    "dialog",
    { "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h(
      "table",
      {},
      h("tbody", {}, ...rows.map(([key, does]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, does)))),
    ),
    h(
      "p",
      { class: "quiet" },
      "Mouse: drag turns, wheel zooms, right button moves. Touch: one finger turns, two zoom and move.",
    ),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
}

export function makePageTools(title: string, model: unknown, shortcuts: Shortcut[]): void {
  const all: Shortcut[] = [
    ...shortcuts,
    { key: "t", does: "dark or light", run: toggleTheme },
    { key: "?", does: "this list", run: () => help.showModal() },
  ];
  const help = helpDialog(all);
  document.body.append(help);
  const json = (): void =>
    download(fileName(title, "json"), new Blob([JSON.stringify(model, null, 1)], { type: "application/json" }));
  document
    .querySelector("#more, #report > header:not(:has(~ #more))")
    ?.append(
      h(
        "div",
        { class: "pagebar" },
        themeButton(),
        h("button", { type: "button", name: "json", onclick: json }, "Download JSON"),
        h("button", { type: "button", name: "print", onclick: () => window.print() }, "Print"),
        h("button", { type: "button", name: "keys", onclick: () => help.showModal() }, "Keys (?)"),
      ),
    );
  document
    .getElementById("provenance")
    ?.append(
      h(
        "details",
        { class: "licences" },
        h("summary", {}, "Licences of the parts of this page"),
        h("pre", {}, LICENCES),
      ),
    );
  document.addEventListener("keydown", (event) => {
    const target = event.target as Element;
    const busy =
      target.matches("input:not([type=checkbox], [type=radio], [type=range]), select, textarea, summary") ||
      (event.key === " " && target.matches("button, input, .heat-map"));
    if (busy || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const found = all.find((each) => each.key === event.key);
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}
