// Keeps what was typed into secret fields when their form comes back: the server does not send it back to the page, and the
// person need not enter it twice. It never leaves the fields.

type Typed = [id: string, value: string][];

export function typedSecrets(main: HTMLElement): Typed {
  return [...main.querySelectorAll<HTMLInputElement>("input[data-kept]")].map(({ id, value }) => [id, value]);
}

export function putBack(main: HTMLElement, typed: Typed): void {
  for (const [id, value] of typed) {
    const field = main.querySelector<HTMLInputElement>(`input[data-kept]#${CSS.escape(id)}`);
    if (field) field.value = value;
  }
}
