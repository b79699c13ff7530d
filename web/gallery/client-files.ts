// Replaces server/client-files.ts, which reads dist/: the gallery has its own files (gallery-server.ts).

declare const __GALLERY_FILES__: { style: string; font: string; script: string; imports: string[] };

export const pageAssets = __GALLERY_FILES__;

export const islandPreloads = (_names: string[]): string[] => [];
