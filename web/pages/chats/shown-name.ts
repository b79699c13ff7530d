// The agent's name as visitors see it.
export const shownName = ({ name, appearance }: { name: string; appearance: { name: string } }): string =>
  appearance.name || name;
