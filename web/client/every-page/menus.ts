// What <details> menus, popovers and dialogs do not do natively: open from a button in browsers without command
// support, and close on an outside click, on Escape and after a navigation.

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]");

/** Closes every open menu and popover. */
export function closeMenus(): void {
  for (const menu of openMenus()) menu.open = false;
  for (const popover of document.querySelectorAll<HTMLElement>("[popover]:popover-open"))
    popover.hidePopover();
}

/** For browsers whose buttons cannot command a dialog (Safari before 26.2, Firefox before 144). */
function commandDialog({ target }: Event): void {
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLElement>("button[commandfor]");
  if (!button || "commandForElement" in button) return;
  const dialog = document.getElementById(button.getAttribute("commandfor") ?? "");
  if (!(dialog instanceof HTMLDialogElement)) return;
  if (button.getAttribute("command") === "close") dialog.close();
  else if (!dialog.open) dialog.showModal();
}

export function startMenus(): void {
  addEventListener("click", commandDialog);
  // Safari, and Firefox before 141.
  if (!("closedBy" in HTMLDialogElement.prototype)) void import("./dialog-backdrops.ts");
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
