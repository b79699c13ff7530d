// Types of what the build puts in.

declare global {
  /** The id of this build, put in by vite.config.ts. */
  const __BUILD_ID__: string;
}

export {};
