/* The key to the colours, in the page and in pictures. */
import { colorAt, cssRgb, type Scale } from "./colors";
import { h, setText } from "../page/dom";
import { digits, readable, withUnit } from "../page/numbers";
import { scaleNow, type FieldGroup } from "./fields";
import type { Choices, Store } from "../store";

/** The colours from low to high. */
export function paintBar(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  scale: Scale,
): void {
  for (let i = 0; i < width; ++i) {
    pen.fillStyle = cssRgb(colorAt(scale, i / (width - 1)));
    pen.fillRect(x + i, y, 1, height);
  }
}

export class Legend {
  private readonly title = h("div");
  private readonly bar = h("canvas", { width: 256, height: 8, role: "img", "aria-label": "Colours from low to high" });
  private readonly ticks = h("div", { class: "ticks" });
  private readonly largest = h("div", { class: "quiet" });
  readonly element = h("div", { class: "legend" }, this.title, this.bar, this.ticks, this.largest);

  constructor(
    private readonly store: Store,
    private readonly groups: FieldGroup[],
  ) {
    store.follow((now) => this.update(now), "field", "colors");
  }

  private group(): FieldGroup | undefined {
    return this.groups.find((each) => each.name === this.store.now.field);
  }

  private update(now: Readonly<Choices>): void {
    const group = this.group();
    this.element.hidden = !group;
    if (!group) return;
    const scale = scaleNow(group, now),
      { low, high, level } = scale;
    this.title.textContent = withUnit(group.label, group.unit);
    this.ticks.replaceChildren(
      ...[low, scale.shape === "threshold" ? level : (low + high) / 2, high].map((x) => h("span", {}, digits(x, group.unit, high - low))),
    );
    Object.assign(this.element.dataset, { table: scale.table, transfer: scale.shape });
    paintBar(this.bar.getContext("2d")!, 0, 0, 256, 8, scale);
  }

  /** The largest value on view; NaN: none. */
  setLargest(value: number, where: string): void {
    this.element.dataset["largest"] = String(value);
    setText(
      this.largest,
      Number.isNaN(value)
        ? "No value on view"
        : `Largest now ${readable(value, this.group()?.unit)}, ${where}`,
    );
  }

  /** Into a picture, at its lower right corner. */
  paint(pen: CanvasRenderingContext2D, width: number, height: number, ink: string): void {
    const group = this.group();
    if (!group) return;
    const scale = scaleNow(group, this.store.now),
      { low, high } = scale,
      x = width - 220,
      y = height - 50;
    pen.fillStyle = ink;
    pen.font = "13px system-ui, sans-serif";
    pen.fillText(withUnit(group.label, group.unit), x, y - 6);
    paintBar(pen, x, y, 200, 12, scale);
    pen.fillStyle = ink;
    pen.fillText(digits(low, group.unit, high - low), x, y + 28);
    pen.textAlign = "right";
    pen.fillText(digits(high, group.unit, high - low), x + 200, y + 28);
    pen.textAlign = "left";
  }
}
