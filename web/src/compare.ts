/* Several reports side by side: a sheet of views (Maciel, Fig. 5.17) with one report per column. Camera, slider and
 * colours are linked; all views share one renderer. */
import { overlaid, numbersTable } from "./compare-numbers";
import { Curves } from "./curves";
import { choice, h, readable, showMessage, uncapitalised } from "./dom";
import { envelopeRange, type Way } from "./envelope-range";
import { heatMap } from "./envelope";
import { colorRange, fieldGroups, firstField, type FieldGroup } from "./fields";
import { Joint } from "./joint";
import { Legend } from "./legend";
import { JOINT_MM, lookFrom, looksOf, type Look } from "./looks";
import { Marks } from "./marks";
import { Shade } from "./material";
import type { Body, Comparison, Motion, Report } from "./model";
import { makePageTools } from "./page-tools";
import { bodiesPanel, clipPanel, colorsPanel, signsPanel } from "./panel";
import { enliven } from "./plots";
import { clipPlane } from "./scene";
import { stepKeys } from "./single";
import { Stage } from "./stage";
import { firstChoices, nearestStep, Store, type Choices } from "./store";
import { makeTables } from "./tables";
import { onThemeChange } from "./theme";
import { timeline } from "./timeline";

/** What a row fixes; the rest follows the slider. */
interface Row {
  label: string;
  motion?: string;
  /** 0 to 1 along the motion */
  place?: number;
  field?: string;
}

type RowKind = "one" | "motions" | "places" | "fields";

function rowsOf(kind: RowKind, motions: readonly Motion[], groups: readonly FieldGroup[]): Row[] {
  if (kind === "motions") return motions.map((motion) => ({ label: motion.label, motion: motion.name }));
  if (kind === "places")
    return [
      ["Start", 0],
      ["Middle", 0.5],
      ["End", 1],
    ].map(([label, place]) => ({ label: String(label), place: Number(place) }));
  if (kind === "fields") return groups.map((group) => ({ label: group.label, field: group.name }));
  return [{ label: "" }];
}

/** Reports are shown at one angle, which need not be where each of them ends. */
export function poseText({ along, contact }: Motion, step: number): string {
  const here = along.values[step] ?? null;
  if (!contact) return `${along.label} ${readable(here, along.unit)}`;
  const end = along.values.at(-1) ?? null;
  return step === along.values.length - 1
    ? `${along.label} ends at ${readable(end, along.unit)}`
    : `${along.label} ${readable(here, along.unit)}; ends at ${readable(end, along.unit)}`;
}

class Sheet {
  readonly stage: Stage;
  readonly joints: Joint[];
  private readonly marks: Marks[];
  private readonly shade = new Shade();
  private readonly groups;
  private readonly legend: Legend;
  private readonly grid = h("div", { class: "grid" });
  private readonly box = h("div", { class: "stage" }, this.grid);
  private readonly reading = h("div", { class: "reading", hidden: true });
  /** The motions of the first report lead. */
  private readonly motions: readonly Motion[];
  private hiddenForCup: string[] = [];

  constructor(
    private readonly items: readonly Report[],
    private readonly store: Store,
    place: HTMLElement,
  ) {
    place.classList.add("compare");
    this.motions = items[0]?.motions ?? [];
    this.stage = new Stage(this.box, this.grid);
    this.joints = items.map((item) => new Joint(item, this.shade));
    this.marks = this.joints.map((joint) => new Marks(joint));
    this.groups = fieldGroups(items);
    this.legend = new Legend(store, this.groups);
    this.box.append(this.reading);
    const bodies = [
      ...new Map(items.flatMap((item) => item.bodies).map((body): [string, Body] => [body.name, body])).values(),
    ];
    place.append(
      this.toolbar(),
      this.box,
      this.legend.element,
      ...(this.motions.length ? [timeline(this.motions, store)] : []),
      h(
        "div",
        { class: "panel" },
        bodiesPanel(bodies, store),
        colorsPanel(this.groups, store),
        clipPanel(store, JOINT_MM),
        signsPanel(store),
      ),
    );
    this.layOut(this.motions.length > 1 ? "motions" : "one");
    this.readOnHover();
  }

  private toolbar(): HTMLElement {
    const rows = choice(
      "Rows",
      [
        { value: "motions", label: "Motions" },
        { value: "one", label: "The slider" },
        { value: "places", label: "Start, middle, end" },
        { value: "fields", label: "Fields" },
      ],
      this.motions.length > 1 ? "motions" : "one",
      (value) => this.layOut(value as RowKind),
    );
    rows.select.name = "rows";
    const projection = h(
      "button",
      {
        type: "button",
        name: "orthographic",
        onclick: () => this.store.set({ perspective: !this.store.now.perspective }),
      },
      "Orthographic",
    );
    this.store.follow((now) => projection.setAttribute("aria-pressed", String(!now.perspective)));
    return h(
      "div",
      { class: "toolbar row" },
      rows.label,
      rows.select,
      ...looksOf(this.items[0]!.frame).map((each) =>
        h("button", { type: "button", name: each.name, onclick: () => this.look(each.name) }, each.label),
      ),
      projection,
    );
  }

  /** Looking into the cup needs the moving bodies out of the way. */
  look(look: Look): void {
    const first = this.items[0]!,
      { hidden } = this.store.now;
    const names =
      look === "cup"
        ? first.bodies.filter((body) => body.moves && !hidden.has(body.name)).map((body) => body.name)
        : [];
    const shownAgain = look === "cup" ? [] : this.hiddenForCup;
    this.hiddenForCup = look === "cup" ? [...this.hiddenForCup, ...names] : [];
    this.store.set({ hidden: new Set([...hidden, ...names].filter((name) => !shownAgain.includes(name))) });
    this.stage.look(lookFrom(first.frame, look), JOINT_MM);
  }

  private layOut(kind: RowKind): void {
    const rows = rowsOf(kind, this.motions, this.groups);
    this.grid.style.gridTemplateColumns = `auto repeat(${this.items.length}, minmax(0, 1fr))`;
    this.grid.replaceChildren(
      h("div", { class: "corner" }),
      ...this.items.map((item) => h("div", { class: "heading" }, item.title)),
    );
    this.stage.views = rows.flatMap((row) => {
      this.grid.append(h("div", { class: "heading side" }, row.label));
      return this.joints.map((joint, i) => {
        const caption = h("div", { class: "caption" }),
          element = h("div", { class: "cell" }, caption);
        this.grid.append(element);
        return {
          element,
          mirrored: this.isMirrored(i),
          scene: joint.scene,
          prepare: (camera: Parameters<Marks["resize"]>[0], height: number) => {
            caption.textContent = this.pose(i, row);
            this.cut(i);
            this.marks[i]!.resize(camera, height);
          },
          coarsen: (on: boolean) => joint.setCoarse(on),
        };
      });
    });
    void this.stage.drawAfter(this.loadFields());
  }

  /** A left joint beside a right one: "lateral" is the other side, and so is whatever the camera sees. */
  private isMirrored(index: number): boolean {
    return this.items[index]!.frame.side !== this.items[0]!.frame.side;
  }

  /** All views share the plane of the shaders, so that each sets it before it is drawn. */
  private cut(index: number): void {
    const plane = this.shade.plane.value.copy(clipPlane(this.items[0]!.frame, this.store.now));
    if (this.isMirrored(index)) plane.x *= -1;
  }

  /** Puts one report into the state of a row; gives what there is to say about it. */
  private pose(index: number, row: Row): string {
    const { now } = this.store,
      joint = this.joints[index]!,
      lead = row.motion ? this.motions.find((each) => each.name === row.motion) : this.motions[now.motion];
    const own = joint.report.motions.find((each) => each.name === lead?.name);
    joint.setLook(now);
    if (!lead || !own) {
      joint.setStep(undefined, 0);
      joint.showField(row.field ?? now.field, undefined, -1);
      this.marks[index]!.show(now.landmarks, now.contacts, null);
      return lead ? `No ${lead.label.toLowerCase()} here` : "";
    }
    const share = now.step / Math.max(1, (this.motions[now.motion]?.poses.length ?? 1) - 1),
      place = row.place ?? share;
    const leadStep =
      lead === this.motions[now.motion] && row.place === undefined
        ? now.step
        : Math.round(place * (lead.poses.length - 1));
    const step =
      row.place !== undefined
        ? Math.round(place * (own.poses.length - 1))
        : nearestStep(own, lead.along.values[leadStep] ?? 0);
    joint.setStep(own, step);
    joint.showField(row.field ?? now.field, own.name, step);
    this.marks[index]!.show(now.landmarks, now.contacts, joint.report.motions.indexOf(own));
    return poseText(own, step);
  }

  private async loadFields(): Promise<void> {
    const names = this.grid.childElementCount ? [this.store.now.field, ...this.groups.map((group) => group.name)] : [];
    for (const joint of this.joints) for (const name of new Set(names)) await joint.loadField(name, showMessage);
  }

  async load(): Promise<void> {
    this.look("anterior");
    await Promise.all(this.joints.map((joint) => joint.load(showMessage)));
    this.stage.radius = Math.max(...this.joints.map((joint) => joint.radius));
    await this.loadFields();
    this.store.follow((now) => this.update(now));
    this.box.dataset["ready"] = "true";
  }

  private update(now: Readonly<Choices>): void {
    const { low, high, level } = colorRange(
      this.groups.find((group) => group.name === now.field),
      now,
    );
    this.shade.setTransfer(now.transfer, low, high, level);
    this.stage.setPerspective(now.perspective);
    this.stage.draw();
  }

  private readOnHover(): void {
    this.grid.addEventListener("pointermove", (event) => {
      const view = this.stage.views.find((each) => each.element.contains(event.target as Node));
      if (event.buttons || !view) return;
      view.prepare(this.stage.camera, view.element.clientHeight);
      const joint = this.joints.find((each) => each.scene === view.scene)!;
      joint.scene.updateMatrixWorld(true);
      const hit = joint.pick(this.stage.ray(event.clientX, event.clientY, view.element));
      this.reading.hidden = !hit;
      if (hit)
        this.reading.textContent = `${joint.report.title}: ${hit.part.body.label}${hit.field ? `, ${uncapitalised(hit.field.label)} ${readable(hit.value, hit.field.unit)}` : ""}`;
    });
    this.grid.addEventListener("pointerleave", () => (this.reading.hidden = true));
  }
}

/** The envelopes beside each other, with one scale; pointing reads all of them. */
function envelopes(items: readonly Report[]): HTMLElement | null {
  const having = items.filter((item) => item.envelope);
  if (!having.length) return null;
  const readout = h("p", { class: "readout", role: "status" }),
    places = h("div", { class: "row" });
  const draw = (way: Way): void => {
    const range = envelopeRange(
      having.map((item) => item.envelope!),
      way,
    );
    places.replaceChildren(
      ...having.map((item) =>
        h(
          "div",
          { style: "flex: 1 1 14rem" },
          h("h3", {}, item.title),
          heatMap(
            item.envelope!,
            way,
            range,
            `${item.title}: free ${way} rotation`,
            (i, j) => {
              const { flexion, adduction } = item.envelope!;
              readout.textContent = `Flexion ${readable(flexion[i]!, "deg")}, adduction ${readable(adduction[j]!, "deg")}: ${having.map((each) => `${each.title} ${readable(each.envelope![way][i]?.[j] ?? null, "deg")}`).join("; ")}`;
            },
            () => {},
          ),
        ),
      ),
    );
  };
  const way = choice(
    "Rotation",
    [
      { value: "internal", label: "Internal" },
      { value: "external", label: "External" },
    ],
    "internal",
    (value) => draw(value as Way),
  );
  draw("internal");
  return h("div", { class: "live" }, h("div", { class: "row" }, way.label, way.select), places, readout);
}

/* * "A: Hip" and "B: Hip", as the text above calls them, if the titles alone do not distinguish the reports. */
function distinguish(items: Report[]): void {
  if (new Set(items.map((item) => item.title)).size < items.length)
    items.forEach((item, i) => (item.title = `${String.fromCharCode(65 + (i % 26))}: ${item.title}`));
}

export async function showComparison(model: Comparison): Promise<void> {
  distinguish(model.items);
  const place = document.getElementById("scene"),
    { items } = model,
    motions = items[0]?.motions ?? [];
  document.getElementById("report")?.classList.add("wide");
  const store = new Store(
    firstChoices(
      motions,
      firstField(fieldGroups(items)),
      items[0]?.bodies.filter((body) => !body.moves && body.tissue === "bone").map((body) => body.name) ?? [],
    ),
  );
  let sheet: Sheet | null = null;
  try {
    if (place && items.length) sheet = new Sheet(items, store, place);
  } catch {
    place?.replaceChildren();
    showMessage(
      "This browser has no WebGL, so the joints cannot be shown in three dimensions. The numbers are complete.",
    );
  }
  makeTables([numbersTable(items)]);
  makePageTools(
    model.title,
    model,
    stepKeys(store, () => motions[store.now.motion]?.poses.length ?? 0),
  );
  const sets = motions.map((motion) => overlaid(items, motion));
  if (sets.some((set) => set.series.length)) {
    const curves = new Curves((step) => store.set({ step, playing: false }));
    enliven("curves", "Along the motion on the slider; press in the plot to go there.", curves.element);
    store.follow((now) => curves.show(sets[now.motion]!, now.step));
    onThemeChange(() => curves.rebuild());
  }
  const maps = envelopes(items);
  if (maps) enliven("envelope", "Rotation free of contact over flexion and adduction.", maps);
  await sheet?.load();
}
