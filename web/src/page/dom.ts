/* Building elements, and giving files to the user. */
import type { Frame } from "../model";

type Attribute = string | number | boolean | null | ((event: never) => void);
export type Child = Node | string | null;

function fill<E extends Element>(element: E, attributes: Record<string, Attribute>, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    // As an attribute it would be refused by the policy of the page.
    else if (name === "style") (element as unknown as HTMLElement).style.cssText = String(value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** An HTML element; attributes named on… are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A <select> with a label in front, for a two-column grid. */
export function choice(
  label: string,
  options: { value: string; label: string }[],
  value: string,
  onChange: (value: string) => void,
): { label: HTMLLabelElement; select: HTMLSelectElement } {
  const select = h(
    "select",
    { onchange: () => onChange(select.value) },
    ...options.map((o) => h("option", { value: o.value }, o.label)),
  );
  select.value = value;
  select.id = freshId();
  return { label: h("label", { for: select.id }, label), select };
}

export function checkbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
): { label: HTMLLabelElement; input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", onchange: () => onChange(input.checked) });
  input.checked = checked;
  return { label: h("label", {}, input, " ", label), input };
}

let ids = 0;
export function freshId(): string {
  return `s${++ids}`;
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for files, from a title. */
export function fileName(title: string, ending: string): string {
  return `${
    title
      .trim()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase() || "report"
  }.${ending}`;
}

/** The title and the side, for what leaves the page: pictures and files. */
export function caseName({ title, frame }: { title: string; frame?: Frame }): string {
  return !frame || frame.looks || !frame.side ? title : `${title}, ${frame.side}`;
}

/** Only where it differs: a text that is set again is laid out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent === text) return;
  if (element.firstChild instanceof Text && element.childNodes.length === 1) element.firstChild.data = text;
  else element.textContent = text;
}

/** Shows the reader what went wrong: over the page, wherever it is scrolled to, so that nothing moves away. The same is
 * said once. Gives what takes it away again. */
export function showMessage(text: string): () => void {
  const place =
    document.querySelector(".messages") ??
    document.body.insertAdjacentElement("afterbegin", h("div", { class: "messages" }))!;
  for (const other of place.children) if (other.firstChild?.textContent === text) other.remove();
  const message: HTMLElement = h(
    "div",
    { class: "message", role: "alert" },
    h("span", {}, text),
    h("button", { type: "button", "aria-label": "Close this message", onclick: () => message.remove() }, "\u00d7"),
  );
  place.append(message);
  return () => message.remove();
}

/** What is known of the colours, and for which theme and medium. */
const colors = new Map<string, string>();
let colorsOf = "";

/** The value of a colour variable of the style sheet, as the browser resolves it. Asking makes the browser style the page, so
 * that each is asked for once. */
export function cssColor(name: string): string {
  const theme = document.documentElement.dataset["theme"] ?? "",
    media = ["(prefers-color-scheme: dark)", "print"].map((each) => matchMedia(each).matches),
    now = [theme, ...media].join();
  if (now !== colorsOf) colors.clear();
  colorsOf = now;
  const found = colors.get(name) ?? resolvedColor(name);
  colors.set(name, found);
  return found;
}

function resolvedColor(name: string): string {
  const probe = h("span", { style: `color: var(${name})` });
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

/** For the middle of a sentence; "FADIR" stays as it is. */
export function uncapitalised(label: string): string {
  return /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** Once what is there has been painted, or soon where nothing is painted. */
export function afterPaint(): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(done, 500); // a page in the background has no frames
    requestAnimationFrame(() => setTimeout(() => (clearTimeout(late), done())));
  });
}
