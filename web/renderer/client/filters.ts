// Sends a form that filters a list as soon as a choice in it changes. What is typed waits for Enter.

export function startFilters(): void {
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement)
      target.closest<HTMLFormElement>("form[data-auto]")?.requestSubmit();
  });
}

/** The id of the filter that has the focus, so that it has it again when the filtered list is there. */
export function focusedFilter(): string | null {
  const { activeElement } = document;
  return activeElement?.closest("form[data-auto]") ? activeElement.id || null : null;
}
