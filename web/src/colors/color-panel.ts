/* The controls of colours: which field, which table, which function, which ends. Each field keeps its own. */
import { cssRgb, colorAt, SHAPES, TABLES, type Coloring, type Shape, type Table } from "./colors";
import { CurveEditor } from "./curve-editor";
import { choice, h } from "../page/dom";
import { coloringOf, recolor, scaleNow, scaleOf, type FieldGroup } from "./fields";
import type { Store } from "../store";

/** The field on view, and how its colours are changed. */
interface Field {
  group: () => FieldGroup | undefined;
  change: (changed: Partial<Coloring>) => void;
}

/** A number that may be left to the field: an empty input means that. */
function limit(
  label: string,
  name: "low" | "high" | "level",
  store: Store,
  field: Field,
  always: boolean,
): HTMLElement {
  const input = h("input", {
    type: "number",
    step: "any",
    "aria-label": label,
    title: label,
    name,
    onchange: () => field.change({ [name]: input.value === "" ? null : Number(input.value) }),
  });
  const box = name === "level" ? h("label", { class: "row" }, "Threshold", input) : input;
  store.follow((now) => {
    const coloring = coloringOf(field.group(), now),
      chosen = coloring[name];
    input.value = chosen === null ? "" : String(Number(chosen.toPrecision(5)));
    input.placeholder = scaleOf(field.group(), coloring)[name].toFixed(2);
    box.hidden = name === "level" && !always && coloring.shape !== "threshold";
  }, "field", "colors");
  return box;
}

/** All tables with all functions, laid out in rows and columns so that they compare (Maciel 2005, §5.4.1). */
function layout(store: Store, field: Field): HTMLElement {
  const shapes = SHAPES.filter(({ value }) => value !== "threshold" && value !== "drawn");
  const cell = (table: Table, shape: Shape, label: string): HTMLElement => {
    const stops = Array.from({ length: 25 }, (_, i) => {
      const scale = { table, shape, points: [], low: 0, high: 1, level: 0.5, kinds: 0 };
      return cssRgb(colorAt(scale, i / 24));
    });
    const button = h("button", {
      type: "button",
      class: "swatches",
      "aria-label": label,
      title: label,
      style: `background: linear-gradient(to right, ${stops.join(", ")})`,
      onclick: () => field.change({ table, shape }),
    });
    store.follow((now) => {
      const { table: chosen, shape: bent } = coloringOf(field.group(), now);
      button.setAttribute("aria-pressed", String(chosen === table && bent === shape));
    }, "field", "colors");
    return button;
  };
  return h(
    "details",
    { class: "all-tables" },
    h("summary", {}, "All tables"),
    h(
      "div",
      { class: "swatch-grid" },
      ...shapes.map(({ label }) => h("span", { class: "quiet" }, label)),
      ...TABLES.flatMap((table) =>
        shapes.map((shape) => cell(table.value, shape.value, `${table.label}, ${shape.label.toLowerCase()}`)),
      ),
    ),
  );
}

/** `always`: the threshold is asked for whatever the function is. */
export function colorsPanel(groups: FieldGroup[], store: Store, always = false): HTMLElement {
  const field: Field = {
    group: () => groups.find((group) => group.name === store.now.field),
    change: (changed) => {
      const group = field.group();
      if (group) recolor(store, group, changed);
    },
  };
  const fields = [...groups.map((group) => ({ value: group.name, label: group.label })), { value: "", label: "None" }];
  const shown = choice("Show", fields, store.now.field, (value) => store.set({ field: value })),
    table = choice("Colours", TABLES, "viridis", (value) => field.change({ table: value as Table })),
    shape = choice("Function", SHAPES, "linear", (value) => field.change({ shape: value as Shape })),
    editor = new CurveEditor(field.change);
  shown.select.name = "field";
  table.select.name = "table";
  shape.select.name = "transfer";
  const ofField = h(
    "div",
    { class: "of-field" },
    h("div", { class: "pair" }, table.label, table.select, shape.label, shape.select),
    editor.element,
    h(
      "div",
      { class: "row" },
      limit("Lowest value of the colours", "low", store, field, false),
      "to",
      limit("Highest value of the colours", "high", store, field, false),
      limit("Threshold of the field", "level", store, field, always),
    ),
    layout(store, field),
  );
  store.follow((now) => {
    const group = field.group(),
      scale = scaleNow(group, now);
    shown.select.value = now.field;
    table.select.value = scale.table;
    shape.select.value = scale.shape;
    ofField.hidden = !group;
    editor.show(scale, group?.unit ?? "");
  }, "field", "colors");
  return h("fieldset", {}, h("legend", {}, "Field"), h("div", { class: "pair" }, shown.label, shown.select), ofField);
}
