// What <details> menus and popovers lack by themselves: closing on a click outside, on Escape and after a navigation.

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]");

/** Closes every open menu and popover. */
export function closeMenus(): void {
  for (const menu of openMenus()) menu.open = false;
  for (const popover of document.querySelectorAll<HTMLElement>("[popover]:popover-open"))
    popover.hidePopover();
}

export function startMenus(): void {
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
