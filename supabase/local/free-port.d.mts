// Types of free-port.mjs.
export function isFree(port: number): Promise<boolean>;
/** The sentence for whoever starts Parley. */
export function sayTaken(port: number): string;
