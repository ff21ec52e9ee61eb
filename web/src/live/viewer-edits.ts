/* What was placed in the viewer: taken back, or moved by small steps along the axes of the body. */
import { h } from "../page/dom";
import type { EditRequest } from "./protocol";
import type { Report, Vec3 } from "../model";

/** The edit that puts back what a request would change. */
export function inverse(report: Report, request: EditRequest): EditRequest | null {
  if ("center" in request) return { center: [...report.frame.center] };
  const known = report.markers.find(({ name }) => name === request.marker);
  return known ? { marker: known.name, point: [...known.point] } : null;
}

/** The same place a step further along an axis; null where nothing is chosen. */
export function nudged(report: Report, placing: string | null, axis: Vec3, mm: number): EditRequest | null {
  const moved = (point: Vec3): Vec3 => point.map((x, k) => x + mm * axis[k]!) as Vec3;
  if (placing === "center") return { center: moved(report.frame.center) };
  const marker = report.markers.find(({ name }) => name === placing);
  return marker ? { marker: marker.name, point: moved(marker.point) } : null;
}

/** Buttons that take edits back and move what is chosen. `edit` gives whether it was carried out. */
export class EditTools {
  private readonly done: EditRequest[] = [];
  private readonly undo = h(
    "button",
    { type: "button", name: "undo", disabled: true, onclick: () => void this.takeBack() },
    "Undo",
  );
  private readonly step = h(
    "select",
    { name: "nudge-step", "aria-label": "Step in millimetres" },
    ...[0.1, 0.5, 1, 5].map((mm) => h("option", { value: mm, selected: mm === 0.5 }, `${mm} mm`)),
  );
  private readonly nudges: HTMLButtonElement[];
  readonly element: HTMLElement;

  constructor(
    private readonly report: Report,
    private readonly placing: () => string | null,
    private readonly edit: (request: EditRequest) => Promise<boolean>,
  ) {
    this.nudges = this.makeNudges();
    this.element = h(
      "div",
      { class: "row nudges", role: "group", "aria-label": "Move what is picked" },
      this.undo,
      this.step,
      ...this.nudges,
    );
    this.show();
  }

  private makeNudges(): HTMLButtonElement[] {
    const { right, forward, up, side, looks } = this.report.frame,
      outward = side === "right" ? 1 : -1;
    const ways: [string, string, Vec3, number][] = looks
      ? [
          ["+1", "first axis forward", right, 1],
          ["\u22121", "first axis back", right, -1],
          ["+2", "second axis forward", forward, 1],
          ["\u22122", "second axis back", forward, -1],
          ["+3", "third axis forward", up, 1],
          ["\u22123", "third axis back", up, -1],
        ]
      : [
          ["Lat", "lateral", right, outward],
          ["Med", "medial", right, -outward],
          ["Ant", "anterior", forward, 1],
          ["Post", "posterior", forward, -1],
          ["Sup", "superior", up, 1],
          ["Inf", "inferior", up, -1],
        ];
    return ways.map(([label, words, axis, sign], i) =>
      h(
        "button",
        {
          type: "button",
          name: `nudge-${i}`,
          "aria-label": `${label}: nudge ${words}`,
          onclick: () => void this.nudge(axis, sign),
        },
        label,
      ),
    );
  }

  /** After what is chosen has changed. */
  show(): void {
    const can = nudged(this.report, this.placing(), [0, 0, 0], 0) !== null;
    for (const button of [...this.nudges, this.step]) button.disabled = !can;
    this.undo.disabled = this.done.length === 0;
    this.element.hidden = !can && this.done.length === 0; // nothing to press yet
  }

  /** Before it is carried out, what would put it back is noted; kept if it was. */
  async carryOut(request: EditRequest): Promise<void> {
    const back = inverse(this.report, request);
    if ((await this.edit(request)) && back) this.done.push(back);
    this.show();
  }

  private async nudge(axis: Vec3, sign: number): Promise<void> {
    const request = nudged(this.report, this.placing(), axis, sign * Number(this.step.value));
    if (request) await this.carryOut(request);
  }

  private async takeBack(): Promise<void> {
    const back = this.done.at(-1);
    if (back && (await this.edit(back))) this.done.pop();
    this.show();
  }
}
