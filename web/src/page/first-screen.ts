/* On narrow screens verdict and contact share the first screen, however long the verdict is. */

/** The stage learns what is left of the screen below its top; the style says between which bounds that counts. */
export function fitFirstScreen(stage: HTMLElement): void {
  let width = 0;
  const fit = (): void => {
    // The bars of a phone's browser come and go: only another width is another screen.
    if (innerWidth === width || stage.classList.contains("afloat")) return;
    width = innerWidth;
    stage.style.setProperty("--left", `${Math.floor(innerHeight - stage.getBoundingClientRect().top - scrollY)}px`);
  };
  fit();
  window.addEventListener("resize", fit, { passive: true });
}
