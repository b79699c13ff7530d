// Owns creating an API key: its prefix, its secret, and the only response that shows it.
import { randomBytes, randomInt } from "node:crypto";
import type { Transaction } from "../../_shared/database/db.ts";
import { hashApiKeySecret } from "../../_shared/requests/auth.ts";
import { requireRow } from "../router.ts";
import { createApiKey } from "./queries.ts";
import type { CreatedApiKey, NewApiKey } from "./schema.ts";

const editorRoleId = "00000000-0000-7000-8000-000000000003";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Creates a key and returns it with its secret, which cannot be read afterwards.
 * @throws ApiError FORBIDDEN for a role that the caller may not grant
 */
export async function addApiKey(
  tx: Transaction,
  teamId: string,
  { name, roleId = editorRoleId }: NewApiKey,
): Promise<CreatedApiKey> {
  const prefix = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  const secret = randomBytes(32).toString("base64url");
  const values = { name, roleId, prefix, secretHash: hashApiKeySecret(secret) };
  return { ...requireRow(await createApiKey(tx, teamId, values)), key: `prl_${prefix}_${secret}` };
}
