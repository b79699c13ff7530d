// The tooltip of a control that shows no text ([data-tooltip]), on hover or keyboard focus. One element in the top
// layer, so no panel clips it. The control's data-state is closed, delayed-open or instant-open.
const OPEN_DELAY_MS = 700;
/** For this long after one has closed, the next one opens without delay. */
const SKIP_DELAY_MS = 300;
const GAP_PX = 6;
const MARGIN_PX = 8;

let bubble: HTMLElement | undefined;
let owner: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let closedAt = Number.NEGATIVE_INFINITY;

const ownerOf = (target: EventTarget | null) =>
  target instanceof Element ? (target.closest<HTMLElement>("[data-tooltip]") ?? undefined) : undefined;

function place(control: HTMLElement, tip: HTMLElement): void {
  const at = control.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = at.bottom + GAP_PX;
  const fits = below + height + MARGIN_PX <= innerHeight;
  const left = at.left + at.width / 2 - width / 2;
  tip.style.top = `${fits ? below : at.top - GAP_PX - height}px`;
  tip.style.left = `${Math.max(MARGIN_PX, Math.min(left, innerWidth - width - MARGIN_PX))}px`;
}

function open(control: HTMLElement, state: "delayed-open" | "instant-open"): void {
  const text = control.dataset.tooltip;
  if (!text || !control.isConnected) return;
  bubble ??= Object.assign(document.createElement("div"), { id: "tooltip", className: "tooltip" });
  bubble.role = "tooltip";
  bubble.popover = "manual";
  bubble.textContent = text;
  document.body.append(bubble);
  bubble.showPopover();
  place(control, bubble);
  control.dataset.state = state;
  // Text that is already the control's name is not read twice.
  if (control.ariaLabel !== text) control.setAttribute("aria-describedby", bubble.id);
}

function close(): void {
  clearTimeout(timer);
  if (owner?.dataset.state?.endsWith("-open")) {
    closedAt = performance.now();
    owner.dataset.state = "closed";
    if (owner.getAttribute("aria-describedby") === bubble?.id) owner.removeAttribute("aria-describedby");
  }
  bubble?.remove();
  owner = undefined;
}

function enter(control: HTMLElement | undefined, atOnce: boolean): void {
  if (control === owner) return;
  close();
  owner = control;
  if (!control) return;
  if (atOnce || performance.now() - closedAt < SKIP_DELAY_MS) open(control, "instant-open");
  else timer = setTimeout(() => open(control, "delayed-open"), OPEN_DELAY_MS);
}

/** Listens on the document, so it covers the controls of islands and of swapped pages. */
export function startTooltips(): void {
  addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType !== "touch") enter(ownerOf(target), false);
  });
  addEventListener("focusin", ({ target }) => {
    const control = ownerOf(target);
    if (control?.matches(":focus-visible")) enter(control, true);
  });
  addEventListener("focusout", close);
  addEventListener("pointerdown", close);
  addEventListener("scroll", close, { capture: true, passive: true });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close();
  });
}
