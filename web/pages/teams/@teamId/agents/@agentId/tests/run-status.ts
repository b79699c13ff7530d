// The status of a run as pages show it.

/** A run that succeeded may contain failed tests, so it is shown as finished. */
export const runStatus = (status: string): string => (status === "succeeded" ? "finished" : status);
