// The client for Google Drive's API, version 3: files, exports, shared drives, changes. Knows nothing of documents. Source:
// developers.google.com/workspace/drive/api/reference/rest/v3, …/guides/handle-errors.
import type { z } from "zod";
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import { retryAfterMs } from "../../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { type GoogleKey, googleKeyOf } from "../fields.ts";
import { type BytesRequest, requestBytes, requestJson, type Service } from "../http.ts";
import { mayNotDownload, mostFileBytes } from "../readable.ts";
import { connect } from "../settings.ts";
import * as answers from "./answers.ts";
import { accessToken, forgetToken } from "./auth.ts";
import { declaration, type GoogleDriveConfig } from "./declaration.ts";

const filesAtOnce = 200;
/** The wait when a limit states no time. */
const leastMs = 60_000;
const hourMs = 60 * leastMs;

export const nothingShown = sentenceOf("googleDriveNone");
export const tooLargeToExport = sentenceOf("googleDriveExport");

/** Google no longer accepts a position in a list or among the changes. */
export class PositionLost extends Error {
  override readonly name = "PositionLost";
}

/** A part of what the account sees: its own view or a shared drive, in full or below some folders. */
export interface Place {
  /** A drive that the account is a member of; Google lists no other. */
  drive?: string | undefined;
  parents?: string[] | undefined;
}
interface Listed {
  /** Unvalidated. */
  files: unknown[];
  next?: string;
  isIncomplete: boolean;
}
interface Changed {
  changes: { id: string; isRemoved: boolean; file: unknown }[];
  next?: string;
  /** On the last page: the position of the next changes. */
  end?: string;
}

export interface GoogleDrive {
  config: GoogleDriveConfig;
  /** @throws PositionLost; ItemGone when the drive or one of the parents no longer exists */
  files(place: Place, after?: string): Promise<Listed>;
  /** @throws ItemGone */
  file(id: string): Promise<unknown>;
  drives(): Promise<{ id: string; name: string }[]>;
  isMember(drive: string): Promise<boolean>;
  /** For the account's own view, or for a shared drive. @throws ItemGone when the drive does not exist */
  startToken(drive?: string): Promise<string>;
  /** @throws PositionLost, ItemGone */
  changes(token: string, drive?: string): Promise<Changed>;
  /** Exports one of Google's documents, up to 10 MB. Undefined when it is larger. @throws ItemUnreadable */
  exportDocument(id: string, type: string): Promise<Uint8Array | undefined>;
  /** Exports without that limit, from the address that people download from. Undefined when Google offers none. */
  exportByLink(id: string, type: string): Promise<Uint8Array | undefined>;
  /** @throws ItemGone, ItemUnreadable */
  bytes(id: string): Promise<Uint8Array>;
}

/** Google's own URLs, or those of a test's stand-in. */
export function placesOf(apiUrl: string): { api: string; token: URL } {
  const isGoogle = new URL(apiUrl).hostname.endsWith(".googleapis.com");
  return { api: apiUrl, token: new URL("/token", isGoogle ? "https://oauth2.googleapis.com" : apiUrl) };
}

/** @throws SourceRefused for invalid settings */
export function googleDriveOf(context: ConnectorContext): GoogleDrive {
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
  const addressOf = (path: string, query: Record<string, string | undefined>) => {
    const url = new URL(`/drive/v3/${path}`, places.api);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  };
  const explain = explainFor(service);
  const ask = async <T>(
    path: string,
    query: Record<string, string | undefined>,
    schema: z.ZodType<T>,
    explained: typeof explain = explain,
  ) =>
    (await withLogin((to) => requestJson(to, addressOf(path, query), { schema, explain: explained }))).data;
  const download = (path: string, query: Record<string, string>, patience?: BytesRequest["patience"]) =>
    withLogin((to) =>
      requestBytes(to, addressOf(path, query), {
        maxBytes: mostFileBytes,
        ...(patience ? { patience } : {}),
        leadsTo: () => false,
        explain: (status, body, headers) =>
          refusedFile(status, body) ??
          explain(status, body, headers) ??
          (status === 403 || status === 400 || status < 400 ? new ItemUnreadable(mayNotDownload) : undefined),
      }),
    );

  return {
    config,
    async files({ drive, parents }, after) {
      const below = parents?.map((id) => `'${id}' in parents`).join(" or ");
      const query = {
        q: ["trashed = false", below ? `(${below})` : ""].filter(Boolean).join(" and "),
        // Below a folder Google searches wherever the folder is.
        ...(drive ? { corpora: "drive", driveId: drive } : below ? {} : { corpora: "user" }),
        ...allDrives,
        includeItemsFromAllDrives: "true",
        spaces: "drive",
        orderBy: "createdTime",
        pageSize: String(filesAtOnce),
        pageToken: after,
        fields: `nextPageToken,incompleteSearch,files(${answers.fileFields})`,
      };
      const { files, nextPageToken, incompleteSearch } = await ask("files", query, answers.files);
      return {
        files,
        ...(nextPageToken ? { next: nextPageToken } : {}),
        isIncomplete: incompleteSearch === true,
      };
    },
    file: (id) =>
      ask(
        `files/${id}`,
        { ...allDrives, fields: answers.fileFields },
        answers.file.or(answers.identified),
        (status, body, headers) =>
          status === 403 && isHidden.has(reasonOf(body).reason)
            ? new ItemGone("the account may not see this file")
            : explain(status, body, headers),
      ),
    async drives() {
      const all: { id: string; name: string }[] = [];
      for (let after: string | undefined; ; ) {
        const query = { pageSize: "100", pageToken: after, fields: "nextPageToken,drives(id,name)" };
        const { drives, nextPageToken } = await ask("drives", query, answers.drives);
        all.push(...drives.map(({ id, name }) => ({ id, name: name ?? id })));
        if (!nextPageToken) return all;
        if (nextPageToken === after)
          throw new SourceUnavailable(sentenceOf("illegible", { service: "Google Drive" }));
        after = nextPageToken;
      }
    },
    async isMember(drive) {
      try {
        await ask(`drives/${drive}`, { fields: "id" }, answers.identified);
        return true;
      } catch (error) {
        if (error instanceof ItemGone) return false;
        throw error;
      }
    },
    async startToken(drive) {
      const query = { ...allDrives, driveId: drive };
      return (await ask("changes/startPageToken", query, answers.startPageToken)).startPageToken;
    },
    async changes(token, drive) {
      const query = {
        pageToken: token,
        driveId: drive,
        ...allDrives,
        includeItemsFromAllDrives: "true",
        includeRemoved: "true",
        spaces: "drive",
        pageSize: String(filesAtOnce),
        fields: `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,file(${answers.fileFields}))`,
      };
      const { changes, nextPageToken, newStartPageToken } = await ask("changes", query, answers.changes);
      if (!nextPageToken && !newStartPageToken)
        throw new SourceUnavailable(sentenceOf("illegible", { service: "Google Drive" }));
      return {
        changes: changes.flatMap(({ fileId, removed, file }) =>
          fileId ? [{ id: fileId, isRemoved: removed === true || !file, file }] : [],
        ),
        ...(nextPageToken ? { next: nextPageToken } : {}),
        ...(newStartPageToken ? { end: newStartPageToken } : {}),
      };
    },
    async exportDocument(id, type) {
      try {
        return await download(`files/${id}/export`, { mimeType: type }, exporting);
      } catch (error) {
        if (error instanceof TooLargeToExport) return undefined;
        throw asItemFailure(error);
      }
    },
    async exportByLink(id, type) {
      const { exportLinks } = await ask(
        `files/${id}`,
        { ...allDrives, fields: "exportLinks" },
        answers.links,
      );
      const link = URL.parse(exportLinks?.[type] ?? "");
      if (!link || !isOfDocs(link)) return undefined;
      try {
        const request = { maxBytes: mostFileBytes, patience: exporting, leadsTo: isOfBytes };
        return await withLogin((to) => requestBytes({ ...to, addresses: [link.origin] }, link, request));
      } catch (error) {
        const isRefused =
          error instanceof SourceRefused || error instanceof ItemGone || error instanceof ItemUnreadable;
        if (isRefused) return undefined;
        throw asItemFailure(error);
      }
    },
    bytes: (id) => download(`files/${id}`, { ...allDrives, alt: "media" }),
  };
}

/** Google takes longest to produce exports; both attempts fit in a document's timeout. */
const exporting = { timeoutMs: 22_000, tries: 2 };

/** Google fails to export some large documents every time: one of them must not block the others. */
function asItemFailure(error: unknown): unknown {
  if (!hasFailed(error)) return error;
  return new ItemUnreadable(sentenceOf("googleDriveExportFailed"), { cause: error });
}

/** Google's own host of documents, and hosts that it redirects to without credentials. */
const isOfDocs = (url: URL) => url.origin === "https://docs.google.com" || isAllowedPlace(url);
const isOfBytes = (url: URL) =>
  isAllowedPlace(url) || (url.protocol === "https:" && url.hostname.endsWith(".googleusercontent.com"));

class Unauthorized extends SourceRefused {}
class TooLargeToExport extends ItemUnreadable {}

/** For calls that accept it: not those to drives and exports. */
const allDrives = { supportsAllDrives: "true" };

const limits = new Set(["rateLimitExceeded", "userRateLimitExceeded", "sharingRateLimitExceeded"]);
const dayLimits = new Set(["dailyLimitExceeded", "quotaExceeded"]);
/** Reasons that concern one file, not the account. */
const isHidden = new Set(["insufficientFilePermissions", "appNotAuthorizedToFile"]);

function reasonOf(body: unknown): { reason: string; location?: string | null | undefined } {
  const [first] = answers.failure.safeParse(body).data?.error.errors ?? [];
  return first ?? { reason: "" };
}

/** Interprets a refusal of one file's bytes, which does not affect other files. */
function refusedFile(status: number, body: unknown): Error | undefined {
  if (status !== 403) return undefined;
  const { reason } = reasonOf(body);
  if (reason === "cannotDownloadAbusiveFile") return new ItemUnreadable(sentenceOf("googleDriveHarmful"));
  if (reason === "downloadQuotaExceeded") return new ItemUnreadable(sentenceOf("googleDriveOften"));
  return undefined;
}

/** A 403 is a rate limit, a document's size, a disabled API or a missing permission, depending on its reason. */
const explainFor =
  ({ name, renew }: Service) =>
  (status: number, body: unknown, headers: Headers): Error | undefined => {
    const { reason, location } = reasonOf(body);
    const isLimit = status === 429 || (status === 403 && (limits.has(reason) || dayLimits.has(reason)));
    if (isLimit)
      return new SourceUnavailable(
        sentenceOf("calledTooOften", { service: "Google Drive" }),
        retryAfterMs(headers) ?? (dayLimits.has(reason) ? hourMs : leastMs),
      );
    if (status === 401)
      return new Unauthorized(
        sentenceOf("credentialsRefused", { service: name, advice: renew }),
        "credentials",
      );
    if (status === 410 || (status === 400 && location === "pageToken")) return new PositionLost(reason);
    if (status === 403 && reason === "accessNotConfigured")
      return new SourceRefused(sentenceOf("googleDriveDisabled"), "credentials");
    if (status === 403 && reason === "insufficientPermissions")
      return new SourceRefused(sentenceOf("googleDriveScope"), "credentials");
    if (status === 403 && reason === "domainPolicy")
      return new SourceRefused(sentenceOf("googleDrivePolicy"), "credentials");
    if (status === 403 && reason === "exportSizeLimitExceeded") return new TooLargeToExport(tooLargeToExport);
    // A shared drive that the account was removed from.
    if (status === 403 && reason === "teamDriveMembershipRequired")
      return new ItemGone("not a member of the drive");
    return undefined;
  };
