/* Several reports side by side: a sheet of views (Maciel 2005, §5.4.4, Fig. 5.17) with one report per column and what the
 * reader wants to compare in rows. Each cell shows its area above a threshold, now and along its motion, and other cells
 * may be computed from these. Camera and slider are linked; all views share one renderer. */
import type { Scale } from "../colors/colors";
import { colorsPanel } from "../colors/color-panel";
import { choice, h, showMessage, uncapitalised } from "../page/dom";
import { readable } from "../page/numbers";
import { coloringOf, fieldGroups, fieldsOf, greatestAlong, scaleNow, scaleOf, type FieldGroup } from "../colors/fields";
import { Joint, type Part } from "../scene/joint";
import { Legend } from "../colors/legend";
import { drawLabels, type Sign } from "../scene/labels";
import { JOINT_MM, lookFrom, looksOf, type Look } from "../scene/looks";
import { Marks } from "../scene/marks";
import { annotate, type Sight } from "../scene/overlay";
import { Shade } from "../scene/material";
import type { Body, Motion, Report } from "../model";
import { bodiesPanel, clipPanel, signsPanel } from "../scene/panel";
import { clipPlane } from "../scene/scene";
import { Stage } from "../scene/stage";
import { nearestStep, type Store } from "../store";
import { timeline } from "../scene/timeline";
import { keepInAddress, type SheetState } from "./address";
import { Areas } from "./areas";
import { cellName, columnName, formulaText, parseFormula, shiftedFormula, type CellValue } from "./computed";
import { ComputedCells } from "./computed-cells";
import { DIFFERENCE, makeDifferences } from "./difference";
import { RowHeading } from "./row-heading";
import { ALL_SURFACES, ROW_KINDS, rowLabel, rowsOf, type Context, type Row, type RowKind } from "./rows";
import { spanOf, Spark } from "./spark";

/** Reports are shown at one angle, which need not be where each of them ends. */
export function poseText({ along, contact }: Motion, step: number): string {
  const here = along.values[step] ?? null;
  if (!contact) return `${along.label} ${readable(here, along.unit)}`;
  const end = along.values.at(-1) ?? null;
  return step === along.values.length - 1
    ? `${along.label} ends at ${readable(end, along.unit)}`
    : `${along.label} ${readable(here, along.unit)}; ends at ${readable(end, along.unit)}`;
}

/** The step of each cell: that of the slider, of a row's own frame, or of a share of its own motion. */
function stepOf(row: Row, lead: Motion, own: Motion, share: number, step: number | null): number {
  if (row.place !== undefined) return Math.round(row.place * (own.poses.length - 1));
  const last = lead.poses.length - 1,
    at = row.frame !== undefined ? Math.min(row.frame, last) : (step ?? Math.round(share * last));
  return own === lead ? at : nearestStep(own, lead.along.values[at] ?? 0);
}

interface Cell {
  spark: Spark;
  value: CellValue | null;
}

export class Sheet {
  readonly stage: Stage;
  readonly joints: Joint[];
  private readonly marks: Marks[];
  private readonly shade = new Shade();
  private readonly groups: FieldGroup[];
  private readonly grid = h("div", { class: "grid" });
  private readonly box = h("div", { class: "stage" }, this.grid);
  private readonly reading = h("div", { class: "reading", hidden: true });
  private readonly areas = new Areas(() => this.refresh());
  private readonly computed: ComputedCells;
  /** The motions of the first report lead. */
  private readonly motions: readonly Motion[];
  private readonly bodies: readonly Body[];
  private kindChoice = h("select");
  private kind: RowKind;
  /** Rows that were changed are no longer of a kind. */
  private changed: boolean;
  private rows: Row[] = [];
  private headings: RowHeading[] = [];
  private cells: Cell[][] = [];
  private readonly open = new Set<number>();
  private withAreas: boolean;
  private hiddenForCup: string[] = [];

  constructor(
    private readonly items: readonly Report[],
    private readonly store: Store,
    place: HTMLElement,
    state: SheetState,
  ) {
    place.classList.add("compare");
    place.parentElement?.classList.add("with-scene");
    this.motions = items[0]?.motions ?? [];
    this.groups = fieldGroups(items);
    this.bodies = [...new Map(items.flatMap((item) => item.bodies).map((body) => [body.name, body])).values()];
    this.stage = new Stage(this.box, this.grid);
    this.joints = items.map((item) => new Joint(item, this.shade));
    this.marks = this.joints.map((joint) => new Marks(joint));
    this.kind = state.kind ?? (this.motions.length > 1 ? "motions" : "one");
    this.changed = state.rows !== undefined;
    this.rows = state.rows ?? rowsOf(this.kind, this.context());
    this.withAreas = (state.areas ?? true) && this.groups.length > 0;
    this.computed = new ComputedCells(
      (state.computed ?? []).flatMap((text) => parseFormula(text) ?? []),
      () => this.cellNames(),
      () => this.refresh(),
    );
    this.build(place);
    this.layOut();
    this.readOnHover();
  }

  private build(place: HTMLElement): void {
    const { store } = this;
    this.box.append(this.reading);
    place.append(
      this.toolbar(),
      this.box,
      new Legend(store, this.groups).element,
      ...(this.motions.length ? [timeline(this.motions, store)] : []),
      ...(this.groups.length ? [this.computed.element] : []),
      h(
        "div",
        { class: "panel" },
        bodiesPanel(this.bodies, store),
        colorsPanel(this.groups, store, true),
        clipPanel(store, JOINT_MM),
        signsPanel(store),
      ),
    );
  }

  private toolbar(): HTMLElement {
    const rows = choice("Rows", ROW_KINDS, this.kind, (value) => this.setKind(value as RowKind));
    this.kindChoice = rows.select;
    rows.select.name = "rows";
    rows.select.append(h("option", { value: "own", hidden: true }, "As changed here"));
    const toggle = (name: string, label: string, action: () => void): HTMLButtonElement =>
      h("button", { type: "button", name, onclick: action }, label);
    const projection = toggle("orthographic", "Orthographic", () =>
        this.store.set({ perspective: !this.store.now.perspective }),
      ),
      areas = toggle("areas", "Areas", () => {
        this.withAreas = !this.withAreas;
        areas.setAttribute("aria-pressed", String(this.withAreas));
        this.refresh();
      });
    areas.setAttribute("aria-pressed", String(this.withAreas));
    this.store.follow((now) => projection.setAttribute("aria-pressed", String(!now.perspective)));
    return h(
      "div",
      { class: "toolbar row" },
      rows.label,
      rows.select,
      ...looksOf(this.items[0]!.frame).map((each) => toggle(each.name, each.label, () => this.look(each.name))),
      projection,
      this.groups.length ? areas : null,
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

  /* ---- rows ---- */

  private groupOf(row: Row): FieldGroup | undefined {
    const name = row.field ?? this.store.now.field;
    return this.groups.find((group) => group.name === name);
  }

  private scaleOf(row: Row): Scale {
    const group = this.groupOf(row),
      { shape, level } = row,
      coloring = coloringOf(group, this.store.now);
    return scaleOf(group, { ...coloring, ...(shape && { shape }), ...(level !== undefined && { level }) });
  }

  private context(): Context {
    const { now } = this.store,
      group = this.groupOf({}),
      { low, high } = scaleNow(group, now);
    return { motions: this.motions, groups: this.groups, motion: this.motions[now.motion], group, low, high };
  }

  private setKind(kind: RowKind): void {
    this.kind = kind;
    this.changed = false;
    this.open.clear();
    this.rows = rowsOf(kind, this.context());
    this.layOut();
  }

  private setRows(rows: Row[]): void {
    this.rows = rows;
    this.changed = true;
    this.layOut();
  }

  /** Formulas go with the cells that they name. */
  private insertOrRemove(index: number, row: Row | null): void {
    const at = row ? index + 1 : index,
      kept = [...this.open].filter((each) => row || each !== index),
      opened = kept.map((each) => (each < at ? each : row ? each + 1 : each - 1));
    const formulas = this.computed.now.map((each) => shiftedFormula(each, at, row ? 1 : -1));
    this.open.clear();
    for (const each of opened) this.open.add(each);
    this.setRows(row ? this.rows.toSpliced(at, 0, row) : this.rows.toSpliced(index, 1));
    this.computed.set(formulas);
  }

  private heading(row: Row, index: number): RowHeading {
    const parts = {
      motions: this.motions,
      groups: this.groups,
      surfaces: this.bodies.filter((body) => fieldsOf(body).length),
      change: (changed: Row) => this.setRows(this.rows.with(index, changed)),
      copy: () => this.insertOrRemove(index, { ...row }),
      remove: this.rows.length > 1 ? () => this.insertOrRemove(index, null) : null,
    };
    return new RowHeading(index + 1, row, parts, this.open.has(index), (open) =>
      open ? this.open.add(index) : this.open.delete(index),
    );
  }

  /** The control in focus, to be found again when rows have been made again. */
  private focus(): () => void {
    const row = this.headings.findIndex(({ element }) => element.contains(document.activeElement)),
      name = document.activeElement?.getAttribute("name");
    return () => {
      if (row >= 0 && name)
        this.headings[Math.min(row, this.headings.length - 1)]!.element.querySelector<HTMLElement>(
          `[name="${name}"]`,
        )?.focus();
    };
  }

  private layOut(): void {
    const refocus = this.focus();
    this.kindChoice.value = this.changed ? "own" : this.kind;
    this.grid.style.gridTemplateColumns = `auto repeat(${this.items.length}, minmax(0, 1fr))`;
    this.grid.style.setProperty("--columns", String(this.items.length));
    this.headings = this.rows.map((row, i) => this.heading(row, i));
    this.cells = this.rows.map(() => this.items.map(() => ({ spark: new Spark(), value: null })));
    this.grid.replaceChildren(
      h("div", { class: "corner" }),
      ...this.items.map((item, i) => {
        const name = columnName(i);
        return h(
          "div",
          { class: "heading" },
          h("span", { class: "cell-name" }, name),
          item.title.replace(`${name}: `, ""),
        );
      }),
    );
    this.stage.views = this.rows.flatMap((row, r) => {
      this.grid.append(this.headings[r]!.element);
      return this.joints.map((joint, i) => this.view(joint, i, row, r));
    });
    this.computed.build();
    refocus();
    void this.stage.drawAfter(this.loadFields().then(() => this.refresh()));
  }

  private view(joint: Joint, index: number, row: Row, at: number): Stage["views"][number] {
    const caption = h("div", { class: "caption" }),
      name = h("div", { class: "cell-name" }, cellName(index, at)),
      element = h("div", { class: "cell" }, name, caption, this.cells[at]![index]!.spark.element);
    let signs: Sign[] = [];
    this.grid.append(element);
    return {
      element,
      mirrored: this.isMirrored(index),
      scene: joint.scene,
      prepare: (camera: Parameters<Marks["resize"]>[0], height: number) => {
        caption.textContent = this.pose(index, row);
        this.shade.setScale(this.scaleOf(row));
        this.cut(index);
        joint.showCaps();
        this.marks[index]!.resize(camera, height);
        signs = this.marks[index]!.signs; // the same joint is drawn again in other rows
      },
      coarsen: (on: boolean) => joint.setCoarse(on),
      // The pose stands in the cell already.
      annotate: (pen: CanvasRenderingContext2D, width: number, height: number, sight: Sight) => {
        annotate(pen, width, height, joint.report.frame, sight, [], 26);
        drawLabels(pen, width, height, signs);
      },
    };
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

  /* ---- cells ---- */

  /** The motion and the step of a report in a row; the row's motion need not be one of the report's. */
  private placed(index: number, row: Row): { lead: Motion | undefined; own: Motion | undefined; step: number } {
    const { now } = this.store,
      current = this.motions[now.motion],
      lead = row.motion ? this.motions.find((each) => each.name === row.motion) : current;
    const own = this.items[index]!.motions.find((each) => each.name === lead?.name);
    if (!lead || !own) return { lead, own: undefined, step: -1 };
    const share = now.step / Math.max(1, (current?.poses.length ?? 1) - 1);
    return { lead, own, step: stepOf(row, lead, own, share, lead === current ? now.step : null) };
  }

  /** Puts one report into the state of a row; gives what there is to say about it. */
  private pose(index: number, row: Row): string {
    const { now } = this.store,
      joint = this.joints[index]!,
      { lead, own, step } = this.placed(index, row);
    joint.setLook(now);
    joint.setStep(own, step);
    joint.showField(row.field ?? now.field, own?.name, step);
    this.marks[index]!.show(now.landmarks, now.contacts, own ? joint.report.motions.indexOf(own) : null);
    if (own) return poseText(own, step);
    return lead ? `No ${lead.label.toLowerCase()} here` : "";
  }

  /** The surfaces whose area counts in a cell. */
  private surfaces(index: number, row: Row, motion: Motion | undefined): Part[] {
    const name = row.field ?? this.store.now.field,
      having = this.joints[index]!.parts.filter(({ body }) => Joint.fieldOf(body, name, motion?.name));
    if (row.surface === ALL_SURFACES) return having;
    const counted = row.surface ?? this.mainSurface(name);
    return having.filter(({ body }) => body.name === counted);
  }

  /** The surface on which a field is largest in any report, so that all cells of a row count the same. */
  private mainSurface(field: string): string | undefined {
    const high = (body: Body): number =>
      Math.max(...fieldsOf(body).filter(({ name }) => name === field).map(({ low, step }) => low + 65534 * step));
    const all = this.items.flatMap((item) => item.bodies);
    return all.reduce<Body | undefined>(
      (best, body) => (high(body) > (best ? high(best) : -Infinity) ? body : best),
      undefined,
    )?.name;
  }

  private valueOf(index: number, row: Row): CellValue | null {
    const { own, step } = this.placed(index, row),
      name = row.field ?? this.store.now.field,
      { level } = this.scaleOf(row),
      parts = this.surfaces(index, row, own);
    const histories = parts.map((part) => this.areas.history(part, Joint.fieldOf(part.body, name, own?.name)!, level));
    if (!parts.length || histories.some((each) => !each)) return null;
    const steps = Math.max(...histories.map((each) => each!.length)),
      at = Math.min(Math.max(step, 0), steps - 1);
    const history = Array.from({ length: steps }, (_, i) =>
      histories.reduce((sum, each) => sum + each![each!.length > 1 ? i : 0]!, 0),
    );
    const along = steps > 1 ? (own?.along.values ?? []) : [0];
    return { now: history[at]!, history, along, motion: own?.name ?? null, step: at, unit: "mm\u00b2" };
  }

  private cellNames(): { value: string; label: string }[] {
    const context = this.context();
    return this.rows.flatMap((row, r) =>
      this.items.map((item, i) => {
        const name = cellName(i, r);
        return {
          value: name,
          label: [name, item.title.replace(/^[A-Z]+: /, ""), rowLabel(row, context)]
            .filter(Boolean)
            .join(", ")
            .replace(", ", "  "),
        };
      }),
    );
  }

  /** Headings, areas and computed cells as they are now. */
  private refresh(): void {
    const context = this.context();
    this.rows.forEach((row, r) => {
      const group = this.groupOf(row),
        scale = this.scaleOf(row);
      this.headings[r]!.show(rowLabel(row, context), scale, group);
      this.cells[r]!.forEach((cell, i) => (cell.value = this.withAreas && group ? this.valueOf(i, row) : null));
      const span = spanOf(this.cells[r]!.map(({ value }) => value));
      this.cells[r]!.forEach((cell, i) => this.showArea(cell, span, i, row, scale, group));
    });
    const byName = new Map(this.cells.flatMap((row, r) => row.map((cell, i) => [cellName(i, r), cell.value])));
    this.computed.element.hidden = !this.withAreas;
    this.computed.show((name) => byName.get(name) ?? null);
    this.grid.dataset["areas"] = this.areas.busy ? "busy" : "known";
    if (!this.store.now.playing) keepInAddress(() => this.state());
  }

  private showArea(
    { spark, value }: Cell,
    span: [number, number],
    index: number,
    row: Row,
    { level }: Scale,
    group: FieldGroup | undefined,
  ): void {
    const { own } = this.placed(index, row),
      parts = this.surfaces(index, row, own);
    if (!this.withAreas || !group || !parts.length) return spark.hide();
    const where = parts.length === 1 ? parts[0]!.body.label : "all surfaces",
      instead = greatestAlong(parts[0]!.body, row.field ?? this.store.now.field, own?.name),
      along = this.items[index]!.motions.find(({ name }) => name === instead)?.label;
    const above = `above ${readable(level, group.unit)}${along ? `, the greatest along ${uncapitalised(along)}` : ""}`;
    spark.show(value, span, `${where}, ${above}`, `${where}, ${uncapitalised(group.label)} ${above}`, "\u2026");
  }

  private state(): SheetState {
    const { motion, step, field, colors } = this.store.now,
      computed = this.computed.now.map(formulaText);
    return {
      ...(this.changed ? { rows: this.rows } : { kind: this.kind }),
      ...(computed.length && { computed }),
      ...(!this.withAreas && this.groups.length && { areas: false }),
      motion,
      step,
      field,
      ...(Object.keys(colors).length && { colors }),
    };
  }

  private async loadFields(): Promise<void> {
    const fields = [this.store.now.field, ...this.rows.map(({ field }) => field)];
    if (fields.includes(DIFFERENCE) && this.joints[0]?.parts.length) makeDifferences(this.joints);
    for (const joint of this.joints)
      for (const name of this.groups.map((group) => group.name)) await joint.loadField(name, showMessage);
  }

  async load(): Promise<void> {
    this.look("anterior");
    await Promise.all(this.joints.map((joint) => joint.load(showMessage)));
    this.stage.radius = Math.max(...this.joints.map((joint) => joint.radius));
    await this.loadFields();
    this.store.follow((_, { field }) => {
      this.stage.setPerspective(this.store.now.perspective);
      if (field === DIFFERENCE) makeDifferences(this.joints);
      this.refresh();
      this.stage.draw();
    });
    this.box.dataset["ready"] = "true";
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
