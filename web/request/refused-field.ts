// Owns the refusal of a posted field by the web server itself, before it calls the API.
import type { RefusalCode } from "../../edge-functions/_shared/requests/refusals.ts";

/** Thrown while a form is read. The form is shown again with the code's sentence at the field. */
export class RefusedField extends Error {
  override name = "RefusedField";
  constructor(
    readonly field: string,
    readonly code: RefusalCode,
  ) {
    super(`${field}: ${code}`);
  }
}
