// The name that visitors know an agent by.
export const shownName = ({ name, appearance }: { name: string; appearance: { name: string } }): string =>
  appearance.name || name;
