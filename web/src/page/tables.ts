/* Tables that sort, copy and download. Cells of the page are the model's own rows, in the same order. */
import { download, fileName, h, type Child } from "./dom";
import { plainly } from "./numbers";
import type { Table } from "../model";

type Cell = string | number | null;

function quoted(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function heading(column: Table["columns"][number]): string {
  return column.unit ? `${column.label} (${column.unit})` : column.label;
}

/** RFC 4180. */
export function csvOf(table: Table): string {
  const lines = [
    table.columns.map((column) => quoted(heading(column))),
    ...table.rows.map((row) => table.columns.map((column) => quoted(row[column.key] ?? null))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

/** For spreadsheets: tabs and line ends inside cells become spaces. */
export function tsvOf(table: Table): string {
  const clean = (cell: Cell): string => (cell === null ? "" : String(cell).replace(/[\t\r\n]+/g, " "));
  return [
    table.columns.map(heading),
    ...table.rows.map((row) => table.columns.map((column) => clean(row[column.key] ?? null))),
  ]
    .map((line) => line.join("\t"))
    .join("\n");
}

/** Unknown cells stay last whichever way. */
export function sortedRows(table: Table, key: string, sign: 1 | -1): number[] {
  const cell = (i: number): Cell => table.rows[i]?.[key] ?? null;
  return table.rows
    .map((_, i) => i)
    .sort((a, b) => {
      const x = cell(a),
        y = cell(b);
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      if (typeof x !== typeof y) return Number(typeof x === "string") - Number(typeof y === "string"); // words come last
      return (
        sign *
        (typeof x === "number" && typeof y === "number"
          ? x - y
          : String(x).localeCompare(String(y), "en", { numeric: true }))
      );
    });
}

/** As people read it; copies and files keep all digits. */
export function cellText(cell: Cell, unit = ""): string {
  return typeof cell === "number" ? plainly(cell, unit) : (cell ?? "");
}

/** What stands in a cell, where that is more than its number: by row and column; null: its number. */
export type Put = (row: number, key: string) => Child[] | null;

function build(table: Table, put: Put): HTMLTableElement {
  const klass = (numeric: boolean): string | null => (numeric ? "number" : null);
  return h(
    "table",
    { "data-table": table.name },
    h("caption", {}, table.title),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...table.columns.map((column) => h("th", { scope: "col", class: klass(column.numeric) }, heading(column))),
      ),
    ),
    h(
      "tbody",
      {},
      ...table.rows.map((row, i) =>
        h(
          "tr",
          {},
          ...table.columns.map(({ key, unit, numeric }) =>
            h("td", { class: klass(numeric) }, ...(put(i, key) ?? [cellText(row[key] ?? null, unit || String(row["unit"] ?? ""))])),
          ),
        ),
      ),
    ),
  );
}

function makeSortable(element: HTMLTableElement, table: Table): void {
  const body = element.tBodies[0],
    rows = [...(body?.rows ?? [])];
  [...(element.tHead?.rows[0]?.cells ?? [])].forEach((head, i) => {
    const column = table.columns[i];
    if (!column) return;
    const sort = (): void => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of head.parentElement!.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      body?.append(
        ...sortedRows(table, column.key, sign)
          .map((index) => rows[index])
          .filter((row) => row !== undefined),
      );
    };
    head.replaceChildren(h("button", { type: "button", class: "sort", onclick: sort }, ...head.childNodes));
  });
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages opened from a file may not have the clipboard; a selection that is copied always works.
    const area = h("textarea", { class: "sr-only" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** `of`: the case, which is in the names of files. */
export function makeTables(tables: readonly Table[], of: string, put: Put = () => null): void {
  const section = document.getElementById("tables");
  for (const table of tables) {
    const element =
      section?.querySelector<HTMLTableElement>(`table[data-table="${CSS.escape(table.name)}"]`) ?? build(table, put);
    const box = h("div", { class: "table-box" });
    if (element.isConnected) element.replaceWith(box);
    else section?.append(box);
    const copyButton: HTMLButtonElement = h(
      "button",
      { type: "button", name: "copy", onclick: () => void copy(tsvOf(table), copyButton) },
      "Copy",
    );
    box.append(
      element,
      h(
        "div",
        { class: "table-tools" },
        copyButton,
        h(
          "button",
          {
            type: "button",
            name: "csv",
            onclick: () => download(fileName(`${of} ${table.title}`, "csv"), new Blob([csvOf(table)], { type: "text/csv" })),
          },
          "Download CSV",
        ),
      ),
    );
    makeSortable(element, table);
  }
}
