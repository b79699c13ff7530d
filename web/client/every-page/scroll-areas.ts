// Shows the scroll bar of an area inside a page ([data-scroll-area]) for a moment after the pointer has left or the
// area has scrolled. CSS shows it under the pointer. Without scripts it always shows.
const HIDE_DELAY_MS = 600;

const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

function linger({ target }: Event): void {
  const area = target instanceof Element && target.closest<HTMLElement>("[data-scroll-area]");
  if (!area) return;
  const { dataset } = area;
  dataset.state = "visible";
  clearTimeout(timers.get(area));
  timers.set(
    area,
    setTimeout(() => {
      dataset.state = "hidden";
    }, HIDE_DELAY_MS),
  );
}

export function startScrollAreas(): void {
  // scroll events do not bubble, so these listen in the capture phase.
  for (const type of ["pointerout", "scroll"]) addEventListener(type, linger, true);
}
