/* The computed cells below the grid: each a formula of two cells, and what it comes to. */
import { choice, h } from "../page/dom";
import { evaluate, OPERATORS, type CellValue, type Formula } from "./computed";
import { Spark, spanOf } from "./spark";

export class ComputedCells {
  private readonly list = h("div", { class: "computed-list" });
  private readonly add = h(
    "button",
    { type: "button", name: "add-computed", onclick: () => this.append() },
    "Add a computed cell",
  );
  readonly element = h(
    "section",
    { class: "computed", "aria-label": "Computed cells" },
    h("h2", {}, "Computed from cells"),
    this.list,
    this.add,
  );
  private sparks: Spark[] = [];

  constructor(
    private formulas: Formula[],
    /** The names of all cells, with what they show. */
    private readonly names: () => { value: string; label: string }[],
    private readonly changed: (formulas: readonly Formula[]) => void,
  ) {
    this.build();
  }

  get now(): readonly Formula[] {
    return this.formulas;
  }

  set(formulas: Formula[]): void {
    this.formulas = formulas;
    this.build();
    this.changed(formulas);
  }

  private append(): void {
    const [left, right] = this.names();
    this.set([...this.formulas, { left: left?.value ?? "", operator: "-", right: right?.value ?? left?.value ?? "" }]);
  }

  /** Those after it that use it have a cell less, and those after it another name. */
  private remove(index: number): void {
    const name = (each: string): string => {
      const own = each.startsWith("=") ? Number(each.slice(1)) - 1 : -1;
      return own === index ? "" : own > index ? `=${own}` : each;
    };
    this.set(
      this.formulas
        .filter((_, i) => i !== index)
        .map(({ left, operator, right }) => ({ left: name(left), operator, right: name(right) })),
    );
  }

  /** Also when rows came or went, and their cells have other names. */
  build(): void {
    this.sparks = this.formulas.map(() => new Spark());
    this.list.replaceChildren(...this.formulas.map((formula, i) => this.card(formula, i)));
  }

  private card(formula: Formula, index: number): HTMLElement {
    const earlier = this.formulas.slice(0, index).map((_, i) => ({ value: `=${i + 1}`, label: `=${i + 1}` })),
      cells = [...this.names(), ...earlier];
    const put = (changed: Partial<Formula>): void =>
      this.set(this.formulas.map((each, i) => (i === index ? { ...each, ...changed } : each)));
    const select = (key: keyof Formula, label: string, options: { value: string; label: string }[]): HTMLElement => {
      const known = options.some(({ value }) => value === formula[key]),
        made = choice(
          label,
          known ? options : [{ value: "", label: "none" }, ...options],
          known ? formula[key] : "",
          (value) => put({ [key]: value }),
        );
      made.select.name = `computed-${key}`;
      made.select.setAttribute("aria-label", `${label} of =${index + 1}`);
      return made.select;
    };
    return h(
      "div",
      { class: "computed-cell", "data-formula": `${formula.left}${formula.operator}${formula.right}` },
      h(
        "div",
        { class: "row" },
        h("span", { class: "cell-name" }, `=${index + 1}`),
        select("left", "First cell", cells),
        select("operator", "Operator", OPERATORS),
        select("right", "Second cell", cells),
        h(
          "button",
          {
            type: "button",
            name: "remove-computed",
            "aria-label": `Remove =${index + 1}`,
            onclick: () => this.remove(index),
          },
          "\u00d7",
        ),
      ),
      this.sparks[index]!.element,
    );
  }

  /** Fires all formulas again. */
  show(cell: (name: string) => CellValue | null): void {
    evaluate(this.formulas, cell).forEach((value, i) =>
      this.sparks[i]!.show(value, spanOf([value]), "", `=${i + 1} along the motion`, "none"),
    );
  }
}
