// The types of set-up.mjs, as far as TypeScript imports it.
export const PAGE_SOURCES: string[];
export const PROCESS_SOURCES: string[];
/** @throws Error that names the app's port when another program has it, or browsers refuse to open it */
export function needWebPort(env: NodeJS.ProcessEnv): Promise<void>;
/** @returns the data folder of the project that the processes in `outdir` were built for, if that is another one and has data */
export function formerDataDir(outdir: string, env: NodeJS.ProcessEnv): string | undefined;
