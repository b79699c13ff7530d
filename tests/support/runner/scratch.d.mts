export const roots: string[];
export function roomyRoot(): string;
export function makeScratch(): { folder: string; remove: () => void };
