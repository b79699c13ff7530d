/** An offset that is this process's own, at which all the ports are free. */
export function reserveOffset(basePorts: number[]): Promise<number>;
export function isFree(port: number): Promise<boolean>;
export function reservePort(): Promise<number>;
