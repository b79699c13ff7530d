// Types of the constants that the build defines.

declare global {
  /** This build's id, defined by vite.config.ts. */
  const __BUILD_ID__: string;
}

export {};
