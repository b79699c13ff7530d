// A click on an island's button before the island is hydrated, whose script may take seconds to arrive: the click is noted
// here, and client/every-page/hydrate.tsx repeats it.

/**
 * Notes the clicks. A form with a method works without script and is left to the browser; one without is its island's,
 * and Enter in its fields clicks its button. An inline script runs the text of this function, so it uses nothing outside itself.
 */
export function noteClicks(): void {
  addEventListener(
    "click",
    (event) => {
      const button =
        event.target instanceof Element &&
        event.target.closest<HTMLButtonElement>("[data-island]:not([data-hydrated]) button");
      if (!button || (button.type === "submit" && button.form?.hasAttribute("method"))) return;
      event.preventDefault();
      for (const earlier of document.querySelectorAll("[data-clicked]"))
        earlier.removeAttribute("data-clicked");
      button.setAttribute("data-clicked", "");
    },
    true,
  );
}
