/* The controls beside the scene: bodies, cutting plane, signs. All of them write the store and follow it. */
import { cssRgb } from "../colors/colors";
import { checkbox, choice, h } from "../page/dom";
import { readable } from "../page/numbers";
import type { Body } from "../model";
import { toggled, type Choices, type Store } from "../store";

function bodyRow(body: Body, store: Store): HTMLElement {
  const show = h("input", {
    type: "checkbox",
    onchange: () => store.set({ hidden: toggled(store.now.hidden, body.name, !show.checked) }),
  });
  const faint = h(
    "button",
    {
      type: "button",
      title: `${body.label}: see through`,
      "aria-label": `Faint: see through ${body.label}`,
      onclick: () => store.set({ faint: toggled(store.now.faint, body.name, !store.now.faint.has(body.name)) }),
    },
    "Faint",
  );
  const only = h(
    "button",
    {
      type: "button",
      title: `Show only ${body.label}`,
      "aria-label": `Show only ${body.label}`,
      onclick: () => store.set({ only: store.now.only === body.name ? null : body.name }),
    },
    "Only",
  );
  store.follow((now) => {
    show.checked = !now.hidden.has(body.name);
    show.disabled = now.only !== null;
    faint.setAttribute("aria-pressed", String(now.faint.has(body.name)));
    only.setAttribute("aria-pressed", String(now.only === body.name));
  }, "hidden", "faint", "only");
  const swatch = h("span", { class: "swatch", style: `background: ${cssRgb(body.color)}` });
  return h("div", { class: "body", "data-body": body.name }, swatch, h("label", {}, show, body.label), faint, only);
}

function detail(bodies: readonly Body[]): string {
  const shown = bodies.reduce((sum, body) => sum + body.mesh.triangles, 0);
  const analysed = bodies.reduce((sum, body) => sum + body.analysed.triangles, 0);
  const error = Math.max(...bodies.map((body) => body.display_error_mm));
  const count = (n: number): string => n.toLocaleString("en-GB");
  return shown === analysed
    ? `${count(shown)} triangles, as analysed.`
    : `${count(shown)} of the ${count(analysed)} analysed triangles are shown, at most ${error.toFixed(3)} mm off.`;
}

export function bodiesPanel(bodies: readonly Body[], store: Store): HTMLElement {
  return h(
    "fieldset",
    { class: "bodies" },
    h("legend", {}, "Bodies"),
    ...bodies.map((body) => bodyRow(body, store)),
    h("p", { class: "quiet" }, detail(bodies)),
  );
}

/** `neck`: the plane of the alpha angle can be chosen too. */
export function clipPanel(store: Store, reach: number, neck = false): HTMLElement {
  const axis = choice(
    "Plane",
    [
      { value: "off", label: "Off" },
      { value: "right", label: "Sagittal" },
      { value: "forward", label: "Coronal" },
      { value: "up", label: "Axial" },
      ...(neck ? [{ value: "neck", label: "Neck, with \u03b1" }] : []),
    ],
    store.now.clip,
    (value) => store.set({ clip: value as Choices["clip"], clipAt: 0 }),
  );
  axis.select.name = "clip";
  const at = h("input", {
    type: "range",
    min: -reach,
    max: reach,
    step: 0.5,
    name: "clip-at",
    "aria-label": "Place of the plane, mm from the centre",
    oninput: () => store.set({ clipAt: Number(at.value) }),
  });
  const place = h("output", { class: "quiet" });
  store.follow((now) => {
    axis.select.value = now.clip;
    at.value = String(now.clipAt);
    at.disabled = now.clip === "off";
    place.textContent = now.clip === "off" ? "Nothing is cut" : `${readable(now.clipAt, "mm")} from the ${now.clip === "neck" ? "axis of the neck" : "centre"}`;
  }, "clip", "clipAt");
  return h("fieldset", {}, h("legend", {}, "Cut"), h("div", { class: "pair" }, axis.label, axis.select), at, place);
}

/** Which vectors are shown; null where the bodies have none. */
export function arrowsPanel(bodies: readonly Body[], store: Store): HTMLElement | null {
  const kinds = new Map(bodies.flatMap((body) => body.vectors ?? []).map((each) => [each.name, each]));
  if (!kinds.size) return null;
  const shown = choice(
    "Show",
    [...[...kinds.values()].map(({ name, label }) => ({ value: name, label })), { value: "", label: "None" }],
    store.now.arrows,
    (value) => store.set({ arrows: value }),
  );
  shown.select.name = "arrows";
  const longest = h("output", { class: "quiet" });
  store.follow((now) => {
    shown.select.value = now.arrows;
    const all = bodies.flatMap((body) => body.vectors ?? []).filter((each) => each.name === now.arrows);
    longest.textContent = all.length
      ? `The longest: ${readable(Math.max(...all.map((each) => each.longest)), all[0]!.unit)}`
      : "";
  }, "arrows");
  return h(
    "fieldset",
    {},
    h("legend", {}, "Arrows"),
    h("div", { class: "pair" }, shown.label, shown.select),
    longest,
  );
}

export function signsPanel(store: Store): HTMLElement {
  const contacts = checkbox("Contact points (diamonds)", store.now.contacts, (on) => store.set({ contacts: on }));
  const landmarks = checkbox("Landmarks (crosses)", store.now.landmarks, (on) => store.set({ landmarks: on }));
  contacts.input.name = "contacts";
  landmarks.input.name = "landmarks";
  store.follow((now) => {
    contacts.input.checked = now.contacts;
    landmarks.input.checked = now.landmarks;
  }, "contacts", "landmarks");
  return h("fieldset", {}, h("legend", {}, "Signs"), contacts.label, landmarks.label);
}
