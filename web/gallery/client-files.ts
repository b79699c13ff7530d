// Replaces request/client-files.ts, which reads dist/: the gallery has its own files (built.ts and developed.ts name them).

declare const __GALLERY_FILES__: { style: string; font: string; script: string; imports: string[] };

export const pageAssets = __GALLERY_FILES__;

/** Its pages link their stylesheet in the head. */
export const firstStyles: ((html: string) => string) | null = null;

export const islandPreloads = (_names: string[]): string[] => [];
