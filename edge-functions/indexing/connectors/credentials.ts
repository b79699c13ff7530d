// Owns sealing and opening a source's credentials. Must not store or log them.
import { sourceCredentials } from "../../_shared/secrets/sealed-columns.ts";
import { seal, unseal } from "../../_shared/secrets/secrets.ts";

const { contextOf } = sourceCredentials;

export function sealCredentials(credentials: Record<string, string>, sourceId: string): Uint8Array {
  return seal(JSON.stringify(credentials), contextOf(sourceId));
}

/** Null when they were sealed with another SECRETS_KEY: then somebody has to enter them again. */
export function openCredentials(sealed: Uint8Array, sourceId: string): Record<string, string> | null {
  try {
    return JSON.parse(unseal(sealed, contextOf(sourceId)));
  } catch {
    return null;
  }
}
