// A response of the API other than 2xx, as pages and actions receive it.
import type { RefusalDetail } from "../client/failure-words.ts";

/** Carries what the specification requires of a client error: address, status, status text and body. Branch on `code` alone. */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  readonly code: string;
  readonly requestId: string;
  readonly details: RefusalDetail[];

  constructor(
    readonly url: string,
    readonly status: number,
    readonly statusText: string,
    readonly body: unknown,
  ) {
    const { code, message, requestId, details } = (body ?? {}) as Record<string, unknown>;
    super(typeof message === "string" ? message : statusText);
    this.code = typeof code === "string" ? code : status === 404 ? "NOT_FOUND" : "UNEXPECTED_ERROR";
    this.requestId = typeof requestId === "string" ? requestId : "";
    this.details = Array.isArray(details) ? (details as RefusalDetail[]) : [];
  }
}
