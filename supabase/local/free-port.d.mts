// Types of free-port.mjs.
export function isBlocked(port: number): boolean;
/** The sentence for whoever starts Parley. */
export function sayBlocked(port: number): string;
export function isFree(port: number): Promise<boolean>;
/** The sentence for whoever starts Parley. */
export function sayTaken(port: number): string;
