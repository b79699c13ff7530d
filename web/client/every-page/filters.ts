// Submits a list's filter form when a choice in it changes. Text fields wait for Enter.

export function startFilters(): void {
  addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement)
      target.closest<HTMLFormElement>("form[data-auto]")?.requestSubmit();
  });
}
