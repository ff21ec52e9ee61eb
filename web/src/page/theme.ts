/* Dark or light: as the system says, until the reader says otherwise. */
import { h } from "./dom";

const dark = matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : dark.matches;
}

export function toggleTheme(): void {
  document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
  document.dispatchEvent(new Event("themechange"));
}

/** For what is painted on a canvas and cannot follow the style sheet. */
export function onThemeChange(listener: () => void): void {
  document.addEventListener("themechange", listener);
  dark.addEventListener("change", listener);
}

export function themeButton(): HTMLButtonElement {
  const button = h("button", { type: "button", name: "theme", onclick: toggleTheme });
  const tell = (): void => void (button.textContent = isDark() ? "Light" : "Dark");
  onThemeChange(tell);
  tell();
  return button;
}
