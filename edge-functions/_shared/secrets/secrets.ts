// Owns encryption of stored secrets that are never shown: connector credentials, app tokens. Seals with the keys in the settings
// (sealing.ts). Must not store anything; sealed-columns.ts lists where long-lived secrets are stored.
import { env } from "../env.ts";
import { Sealing } from "./sealing.ts";

let sealing: Sealing | undefined;
const ours = () => (sealing ??= new Sealing(env().SECRETS_KEY));

/** As Sealing.seal, with the first key of SECRETS_KEY. */
export const seal = (plain: string, context: string): Uint8Array => ours().seal(plain, context);

/** As Sealing.unseal, with any key of SECRETS_KEY. @throws Error */
export const unseal = (sealed: Uint8Array, context: string): string => ours().unseal(sealed, context);
