// Owns how an API key comes about: its prefix, its secret, and the one time that it is shown.
import { randomBytes, randomInt } from "node:crypto";
import type { Transaction } from "../../_shared/database/db.ts";
import { hashApiKeySecret } from "../../_shared/requests/auth.ts";
import { found } from "../router.ts";
import { createApiKey } from "./queries.ts";
import type { CreatedApiKey, NewApiKey } from "./schema.ts";

const editorRoleId = "00000000-0000-7000-8000-000000000003";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Makes a key and answers with it, this once. @throws ApiError FORBIDDEN for a role that the caller could not grant */
export async function addApiKey(
  tx: Transaction,
  teamId: string,
  { name, roleId = editorRoleId }: NewApiKey,
): Promise<CreatedApiKey> {
  const prefix = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  const secret = randomBytes(32).toString("base64url");
  const values = { name, roleId, prefix, secretHash: hashApiKeySecret(secret) };
  return { ...found(await createApiKey(tx, teamId, values)), key: `prl_${prefix}_${secret}` };
}
