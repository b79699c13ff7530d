// Owns the error of a call to an address that a user named.

export type OutboundProblem = "forbidden" | "unreachable" | "timed_out" | "too_large";

/** `message` contains no part of the address except its host. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  constructor(
    readonly problem: OutboundProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
