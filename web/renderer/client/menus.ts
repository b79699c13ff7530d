// What <details> menus, popovers and dialogs lack by themselves: opening by a button where the browser does not know how, closing on a click outside, on Escape and after a navigation.

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]");

/** Closes every open menu and popover. */
export function closeMenus(): void {
  for (const menu of openMenus()) menu.open = false;
  for (const popover of document.querySelectorAll<HTMLElement>("[popover]:popover-open"))
    popover.hidePopover();
}

/** Where a button cannot command a dialog by itself (Safari before 26.2, Firefox before 144), and where a dialog's backdrop does not close it. */
function commandDialog({ target }: Event): void {
  if (!(target instanceof Element)) return;
  if (target instanceof HTMLDialogElement && !Object.hasOwn(HTMLDialogElement.prototype, "closedBy")) {
    target.close();
    return;
  }
  const button = target.closest<HTMLElement>("button[commandfor]");
  if (!button || "commandForElement" in button) return;
  const dialog = document.getElementById(button.getAttribute("commandfor") ?? "");
  if (!(dialog instanceof HTMLDialogElement)) return;
  if (button.getAttribute("command") === "close") dialog.close();
  else if (!dialog.open) dialog.showModal();
}

export function startMenus(): void {
  addEventListener("click", commandDialog);
  addEventListener("click", ({ target }) => {
    for (const menu of openMenus()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
