/* The heading of a row: what it shows, the key to its colours, and controls to change, copy and remove it. */
import { SHAPES, type Scale, type Shape } from "../colors/colors";
import { choice, h } from "../page/dom";
import { digits, unitText, withUnit } from "../page/numbers";
import type { FieldGroup } from "../colors/fields";
import { paintBar } from "../colors/legend";
import type { Motion } from "../model";
import { ALL_SURFACES, type Row } from "./rows";

export interface RowParts {
  motions: readonly Motion[];
  groups: readonly FieldGroup[];
  /** Bodies that have a field. */
  surfaces: readonly { name: string; label: string }[];
  change: (row: Row) => void;
  copy: () => void;
  /** null: it is the last one. */
  remove: (() => void) | null;
}

type Options = { value: string; label: string }[];

/** "" stands for what is chosen elsewhere. */
function follows(what: string, options: readonly { value: string; label: string }[]): Options {
  return [{ value: "", label: what }, ...options];
}

function timeOf({ place, frame }: Row): string {
  return frame !== undefined ? "frame" : place === undefined ? "" : String(place);
}

export class RowHeading {
  private readonly title = h("span", { class: "row-label" });
  private readonly bar = h("canvas", {
    width: 128,
    height: 6,
    role: "img",
    "aria-label": "Colours of this row from low to high",
  });
  private readonly ends = h("div", { class: "ticks" });
  private readonly key = h("div", { class: "row-key" }, this.bar, this.ends);
  readonly element: HTMLElement;

  constructor(
    number: number,
    private readonly row: Row,
    private readonly parts: RowParts,
    open: boolean,
    onOpen: (open: boolean) => void,
  ) {
    const button = (name: string, label: string, said: string, action: (() => void) | null): HTMLElement => {
      const made = h(
        "button",
        { type: "button", name, "aria-label": `${said} row ${number}`, onclick: () => action?.() },
        label,
      );
      made.disabled = !action;
      return made;
    };
    const editor: HTMLDetailsElement = h(
      "details",
      { class: "row-editor", ontoggle: () => onOpen(editor.open) },
      h("summary", { "aria-label": `Change row ${number}` }, "Change"),
      h("div", { class: "pair" }, ...this.controls()),
    );
    editor.open = open;
    this.element = h(
      "div",
      { class: "heading side" },
      h("div", { class: "row-title" }, h("span", { class: "row-number" }, String(number)), this.title),
      this.key,
      h(
        "div",
        { class: "row-tools" },
        button("copy-row", "Copy", "Copy", parts.copy),
        button("remove-row", "Remove", "Remove", parts.remove),
      ),
      editor,
    );
    // The grid below takes the mouse for the camera.
    for (const event of ["pointerdown", "wheel", "contextmenu"])
      this.element.addEventListener(event, (each) => each.stopPropagation());
  }

  private controls(): HTMLElement[] {
    const { row } = this,
      { motions, groups, surfaces, change } = this.parts;
    const select = (
      name: string,
      label: string,
      options: Options,
      value: string,
      make: (value: string) => Row,
    ): HTMLElement[] => {
      const made = choice(label, options, value, (chosen) => change(make(chosen)));
      made.select.name = name;
      return [made.label, made.select];
    };
    const named = (all: readonly { name: string; label: string }[]): Options =>
      all.map(({ name, label }) => ({ value: name, label }));
    const times = [
      { value: "0", label: "Start" },
      { value: "0.5", label: "Middle" },
      { value: "1", label: "End" },
      { value: "frame", label: "A frame" },
    ];
    return [
      ...select("row-motion", "Motion", follows("On the slider", named(motions)), row.motion ?? "", (value) => ({
        ...row,
        motion: value || undefined,
      })),
      ...select("row-time", "Time", follows("On the slider", times), timeOf(row), (value) => ({
        ...row,
        place: value === "" || value === "frame" ? undefined : Number(value),
        frame: value === "frame" ? 0 : undefined,
      })),
      ...(row.frame === undefined
        ? []
        : this.number("row-frame", "Frame", row.frame + 1, (value) => ({
            ...row,
            frame: Math.max(0, Math.round((value ?? 1) - 1)),
          }))),
      ...select("row-field", "Field", follows("In the panel", named(groups)), row.field ?? "", (value) => ({
        ...row,
        field: value || undefined,
        level: undefined,
      })),
      ...select("row-shape", "Function", follows("In the panel", SHAPES), row.shape ?? "", (value) => ({
        ...row,
        shape: (value || undefined) as Shape | undefined,
      })),
      ...this.number("row-level", "Threshold", row.level, (value) => ({ ...row, level: value ?? undefined })),
      ...select(
        "row-surface",
        "Area on",
        follows("Largest values", [...named(surfaces), { value: ALL_SURFACES, label: "All surfaces" }]),
        row.surface ?? "",
        (value) => ({ ...row, surface: value || undefined }),
      ),
    ];
  }

  private number(
    name: string,
    label: string,
    value: number | undefined,
    make: (value: number | null) => Row,
  ): HTMLElement[] {
    const input = h("input", {
      type: "number",
      step: "any",
      name,
      id: `${name}-${Math.random().toString(36).slice(2)}`,
      onchange: () => this.parts.change(make(input.value === "" ? null : Number(input.value))),
    });
    if (value !== undefined) input.value = String(value);
    return [h("label", { for: input.id }, label), input];
  }

  show(label: string, scale: Scale, group: FieldGroup | undefined): void {
    this.title.textContent = label;
    this.key.hidden = !group;
    if (!group) return;
    paintBar(this.bar.getContext("2d")!, 0, 0, 128, 6, scale);
    this.bar.title = withUnit(group.label, group.unit);
    this.ends.replaceChildren(...[scale.low, scale.high].map((x) => h("span", {}, digits(x, group.unit, scale.high - scale.low) + unitText(group.unit))));
  }
}
