// Owns the exchange of Google's keys for access tokens: a service account's with a signed JWT, a person's with their refresh token.
// Caches tokens in memory until shortly before they expire. Source: developers.google.com/identity/protocols/oauth2/service-account and
// …/web-server.
import { createHash } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { SourceRefused } from "../connector.ts";
import type { GoogleKey } from "../fields.ts";
import { requestJson, type Service } from "../http.ts";
import { token } from "./answers.ts";

const scope = "https://www.googleapis.com/auth/drive.readonly";
/** Google's maximum lifetime of a JWT. */
const lifeSeconds = 3600;
/** A token is renewed this long before it expires: a download may take a while. */
const spareMs = 5 * 60_000;

const kept = new LRUCache<string, string>({ max: 200 });

const placeOf = (address: URL, key: GoogleKey) =>
  createHash("sha256")
    .update(`${address.href} ${JSON.stringify(key)}`)
    .digest("hex");

/**
 * @param address Google's own, whatever URL a key contains
 * @throws SourceRefused for a key that is not accepted, and as requestJson()
 */
export async function accessToken(service: Service, address: URL, key: GoogleKey): Promise<string> {
  const place = placeOf(address, key);
  const known = kept.get(place);
  if (known) return known;
  const body = new URLSearchParams(
    key.type === "service_account"
      ? {
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          assertion: await assertionOf(service, address, key),
        }
      : {
          grant_type: "refresh_token",
          client_id: key.client_id,
          client_secret: key.client_secret,
          refresh_token: key.refresh_token,
        },
  );
  const { data } = await requestJson(service, address, {
    method: "POST",
    body: body.toString(),
    contentType: "application/x-www-form-urlencoded",
    schema: token,
    // invalid_grant, invalid_client, unauthorized_client: each means that the key is no longer valid.
    explain: (status) => (status === 400 || status === 401 ? refusalOf(service) : undefined),
  });
  const keptMs = data.expires_in * 1000 - spareMs;
  if (keptMs > 0) kept.set(place, data.access_token, { ttl: keptMs });
  return data.access_token;
}

/** Call after a token was refused before its expiry. */
export function forgetToken(address: URL, key: GoogleKey): void {
  kept.delete(placeOf(address, key));
}

async function assertionOf(
  service: Service,
  address: URL,
  key: Extract<GoogleKey, { type: "service_account" }>,
): Promise<string> {
  const secret = await importPKCS8(key.private_key, "RS256").catch(() => {
    throw refusalOf(service);
  });
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({ scope })
    .setProtectedHeader({
      alg: "RS256",
      typ: "JWT",
      ...(key.private_key_id ? { kid: key.private_key_id } : {}),
    })
    .setIssuer(key.client_email)
    .setAudience(address.href)
    .setIssuedAt(now)
    .setExpirationTime(now + lifeSeconds)
    .sign(secret);
}

const refusalOf = ({ name, renew }: Service) =>
  new SourceRefused(sentenceOf("credentialsRefused", { service: name, advice: renew }), "credentials");
