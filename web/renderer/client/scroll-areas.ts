// When the scroll bars of areas inside a page ([data-scroll-area]) show: under the pointer and while the area scrolls, and a
// moment longer. Without scripts they always do.
const HIDE_DELAY_MS = 600;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

const areaOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-scroll-area]") : null;

function show(area: HTMLElement): void {
  clearTimeout(timers.get(area));
  area.dataset.state = "visible";
}

function hideLater(area: HTMLElement): void {
  clearTimeout(timers.get(area));
  timers.set(
    area,
    setTimeout(() => {
      area.dataset.state = "hidden";
    }, HIDE_DELAY_MS),
  );
}

export function startScrollAreas(): void {
  addEventListener("pointerover", ({ target }) => {
    const area = areaOf(target);
    if (area) show(area);
  });
  addEventListener("pointerout", ({ target, relatedTarget }) => {
    const area = areaOf(target);
    if (area && areaOf(relatedTarget) !== area) hideLater(area);
  });
  // Scrolling does not bubble.
  addEventListener(
    "scroll",
    ({ target }) => {
      const area = areaOf(target);
      if (!area || area !== target) return;
      show(area);
      if (!area.matches(":hover")) hideLater(area);
    },
    { capture: true, passive: true },
  );
}
