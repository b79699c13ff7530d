// Owns the calls to Google Drive's API: addresses, and the login by a key that is exchanged for tokens. Knows no kind of answer.
import type { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConnectorContext, ItemUnreadable, SourceRefused } from "../connector.ts";
import { type GoogleKey, googleKeyOf } from "../fields.ts";
import { type BytesRequest, requestBytes, requestJson, type Service } from "../http.ts";
import { mayNotDownload, mostFileBytes } from "../readable.ts";
import { connect } from "../settings.ts";
import { accessToken, forgetToken } from "./auth.ts";
import { declaration, type GoogleDriveConfig } from "./declaration.ts";
import { explainFor, refusedFile, Unauthorized } from "./refusals.ts";

type Query = Record<string, string | undefined>;
/** The meaning of an answer that is no success. */
type Explain = ReturnType<typeof explainFor>;

export interface Calls {
  config: GoogleDriveConfig;
  explain: Explain;
  /** @param explained the meaning of a failure; that of most calls by default */
  ask<T>(path: string, query: Query, schema: z.ZodType<T>, explained?: Explain): Promise<T>;
  /** A file's bytes. @throws ItemGone, ItemUnreadable */
  download(path: string, query: Query, patience?: BytesRequest["patience"]): Promise<Uint8Array>;
  /** Runs a call with a token of the key, and once more when that token was revoked. */
  withLogin<T>(call: (service: Service) => Promise<T>): Promise<T>;
}

/** Google's own URLs, or those of a test's stand-in. */
export function placesOf(apiUrl: string): { api: string; token: URL } {
  const isGoogle = new URL(apiUrl).hostname.endsWith(".googleapis.com");
  return { api: apiUrl, token: new URL("/token", isGoogle ? "https://oauth2.googleapis.com" : apiUrl) };
}

/** @throws SourceRefused for invalid settings */
export function callsOf(context: ConnectorContext): Calls {
  let key: GoogleKey | undefined;
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewGoogleDrive"),
    // The key is exchanged for a token, which is sent instead.
    login: (credentials) => {
      key = googleKeyOf(credentials.key);
      return {};
    },
  });
  const places = placesOf(config.apiUrl);
  const forTokens: Service = { ...service, addresses: [places.token.origin] };
  const withLogin = async <T>(call: (service: Service) => Promise<T>): Promise<T> => {
    if (!key) throw new SourceRefused(sentenceOf("noCredentials"), "credentials");
    for (let attempt = 1; ; attempt++) {
      const authorization = `Bearer ${await accessToken(forTokens, places.token, key)}`;
      try {
        return await call({ ...service, headers: { authorization } });
      } catch (error) {
        // A cached token may have been revoked; a new one shows whether the key is valid.
        if (!(error instanceof Unauthorized)) throw error;
        forgetToken(places.token, key);
        if (attempt > 1) throw error;
      }
    }
  };
  const addressOf = (path: string, query: Query) => {
    const url = new URL(`/drive/v3/${path}`, places.api);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  };
  const explain = explainFor(service);
  return {
    config,
    explain,
    withLogin,
    ask: async (path, query, schema, explained = explain) =>
      (await withLogin((to) => requestJson(to, addressOf(path, query), { schema, explain: explained }))).data,
    download: (path, query, patience) =>
      withLogin((to) =>
        requestBytes(to, addressOf(path, query), {
          maxBytes: mostFileBytes,
          ...(patience ? { patience } : {}),
          leadsTo: () => false,
          explain: (status, body, headers) =>
            refusedFile(status, body) ??
            explain(status, body, headers) ??
            (status === 403 || status === 400 || status < 400
              ? new ItemUnreadable(mayNotDownload)
              : undefined),
        }),
      ),
  };
}
