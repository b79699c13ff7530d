// Owns which address of an Atlassian Cloud site is called. A classic API token works at the site only; a scoped one at Atlassian's
// gateway only, under the site's cloudId. A token does not show its kind, so the site is tried first. Knows no product's calls.
// Source: support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { isAllowedPlace } from "../../_shared/outbound/outbound.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { SourceRefused } from "./connector.ts";
import {
  type BytesRequest,
  type JsonAnswer,
  type JsonRequest,
  refusalOfCredentials,
  requestBytes,
  requestJson,
  type Service,
} from "./http.ts";

interface Product {
  /** The product's name in the gateway's URLs. */
  product: "confluence" | "jira";
  /** All scopes that a token needs. */
  scopes: readonly string[];
  /** The scope that a call needs, by its path at the site. */
  scopeOf: (path: string) => string;
}

/** A product of a site. Paths begin with a slash and are those of the site. */
export interface AtlassianSite {
  /** @throws as requestJson() */
  json<T>(path: string, request: JsonRequest<T>): Promise<JsonAnswer<T>>;
  /** @throws as requestBytes() */
  bytes(path: string, request: BytesRequest): Promise<Uint8Array>;
}

/** The header for an account's email and token; the same for both kinds of token. */
export const basicLogin = ({ email, apiToken }: { email: string; apiToken: string }) => ({
  authorization: `Basic ${Buffer.from(`${email}:${apiToken}`).toString("base64")}`,
});

/** The cloudIds of sites whose credentials work at the gateway, by a hash of both, so that the site is not tried before each call. */
const kept = new LRUCache<string, string>({ max: 200, ttl: 60 * 60_000 });

export function atlassianSite(service: Service, site: string, product: Product): AtlassianSite {
  const gateway = gatewayOf(site);
  const place = createHash("sha256")
    .update(JSON.stringify([site, service.headers]))
    .digest("hex");

  const atGateway = async <T>(ask: (at: Service, base: string) => Promise<T>, known?: string): Promise<T> => {
    const cloudId = gateway && (known ?? (await cloudIdOf(service, site)));
    if (!cloudId) throw new NotLoggedIn();
    const addresses = [...service.addresses, gateway];
    const answer = await ask({ ...service, addresses }, `${gateway}/ex/${product.product}/${cloudId}`);
    if (!known) kept.set(place, cloudId);
    return answer;
  };
  const call = async <T>(ask: (at: Service, base: string) => Promise<T>): Promise<T> => {
    const known = kept.get(place);
    try {
      if (known) return await atGateway(ask, known);
      return await ask(service, site).catch((error) => {
        if (error instanceof NotLoggedIn) return atGateway(ask);
        throw error;
      });
    } catch (error) {
      if (!(error instanceof NotLoggedIn)) throw error;
      kept.delete(place);
      throw refusalOfCredentials(service);
    }
  };
  const explain401 = (path: string, base: string, { explain }: Pick<JsonRequest<unknown>, "explain">) => ({
    explain: (status: number, body: unknown, headers: Headers) => {
      if (status === 401 && base !== site && lacksScope(body)) return missingScope(service, product, path);
      if (status === 401 || isNobody(headers)) return new NotLoggedIn();
      return explain?.(status, body, headers);
    },
  });

  return {
    json: (path, request) =>
      call(async (at, base) => {
        const url = new URL(base + path);
        const answer = await requestJson(at, url, { ...request, ...explain401(path, base, request) });
        if (isNobody(answer.headers)) throw new NotLoggedIn();
        return answer;
      }),
    bytes: (path, request) =>
      call((at, base) =>
        requestBytes(at, new URL(base + path), { ...request, ...explain401(path, base, request) }),
      ),
  };
}

/** The called address does not accept the credentials. */
class NotLoggedIn extends Error {}

/**
 * The only other address that receives a site's credentials. Undefined for a host outside of Atlassian Cloud; a host allowed by
 * PARLEY_OUTBOUND_ALLOW is its own gateway.
 */
function gatewayOf(site: string): string | undefined {
  const url = new URL(site);
  if (url.protocol === "https:" && url.hostname.endsWith(".atlassian.net"))
    return "https://api.atlassian.com";
  return isAllowedPlace(url) ? site : undefined;
}

const tenant = z.object({ cloudId: z.guid() });

/** Undefined when the site has none. The endpoint is public, so no credentials are sent. */
async function cloudIdOf(service: Service, site: string): Promise<string | undefined> {
  const { data } = await requestJson({ ...service, headers: {} }, new URL("/_edge/tenant_info", site), {
    schema: z.unknown(),
    explain: (status) => (status === 429 || status === 408 ? undefined : new NotLoggedIn()),
  });
  return tenant.safeParse(data).data?.cloudId;
}

/** A site may treat an unknown token as an anonymous caller, with empty lists and 404. Only this header tells. */
const isNobody = (headers: Headers) => headers.get("x-seraph-loginreason")?.includes("AUTHENTICATED_FAILED");

const told = z.object({ message: z.string() });
const lacksScope = (body: unknown) => /scope does not match/i.test(told.safeParse(body).data?.message ?? "");

const missingScope = ({ name }: Service, { scopes, scopeOf }: Product, path: string) =>
  new SourceRefused(
    sentenceOf("atlassianScope", { scope: scopeOf(path), service: name, scopes: scopes.join(", ") }),
    "credentials",
  );
