// Sends a form that filters a list as soon as a choice in it changes. What is typed waits for Enter.

export function startFilters(): void {
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement)
      target.closest<HTMLFormElement>("form[data-auto]")?.requestSubmit();
  });
}
