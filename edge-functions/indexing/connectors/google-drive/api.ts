// Google Drive's API, version 3, as far as it is read: files, exports, shared drives, changes. Knows nothing of documents.
// Source: developers.google.com/workspace/drive/api/reference/rest/v3, …/guides/handle-errors.
import type { z } from "zod";
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import { retryAfterMs } from "../../../_shared/outbound/retry.ts";
import {
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { type GoogleKey, googleKeyOf } from "../fields.ts";
import { askBytes, askJson, type BytesRequest, type Service } from "../http.ts";
import { mayNotDownload, mostFileBytes } from "../readable.ts";
import { connect } from "../settings.ts";
import * as answers from "./answers.ts";
import { accessToken, forgetToken } from "./auth.ts";
import { declaration, type GoogleDriveConfig } from "./declaration.ts";

const filesAtOnce = 200;
/** Where a limit tells no time. */
const leastMs = 60_000;
const hourMs = 60 * leastMs;

export const nothingShown =
  "Google Drive shows this account nothing to read. Share a folder or a shared drive with its address.";
export const tooLargeToExport =
  "Google does not export documents of this size. Split it, or replace it with a downloaded file.";

/** Google knows a position in a list or among the changes no more. */
export class PositionLost extends Error {
  override readonly name = "PositionLost";
}

/** A part of what the account sees: its own view or a shared drive, as a whole or below some folders. */
export interface Place {
  /** One that the account is a member of: Google lists no other. */
  drive?: string | undefined;
  parents?: string[] | undefined;
}
interface Listed {
  /** As they came: each is still to be checked. */
  files: unknown[];
  next?: string;
  isIncomplete: boolean;
}
interface Changed {
  changes: { id: string; isRemoved: boolean; file: unknown }[];
  next?: string;
  /** At the end: from where the next changes are. */
  end?: string;
}

export interface GoogleDrive {
  config: GoogleDriveConfig;
  /** @throws PositionLost; ItemGone for a drive or one of the parents that is not there any more */
  files(place: Place, after?: string): Promise<Listed>;
  /** @throws ItemGone */
  file(id: string): Promise<unknown>;
  drives(): Promise<{ id: string; name: string }[]>;
  isMember(drive: string): Promise<boolean>;
  /** Of the account's own view, or of a shared drive. @throws ItemGone for a drive that is not there */
  startToken(drive?: string): Promise<string>;
  /** @throws PositionLost, ItemGone */
  changes(token: string, drive?: string): Promise<Changed>;
  /** A document of Google's in another form, up to 10 MB. @throws ItemUnreadable; undefined for what is too large for that */
  exported(id: string, type: string): Promise<Uint8Array | undefined>;
  /** The same without that limit, from where people download it; undefined where Google does not give it there. */
  downloaded(id: string, type: string): Promise<Uint8Array | undefined>;
  /** @throws ItemGone, ItemUnreadable */
  bytes(id: string): Promise<Uint8Array>;
}

/** Google's own addresses, or those of the one that stands in for it. */
export function placesOf(apiUrl: string): { api: string; token: URL } {
  const isGoogle = new URL(apiUrl).hostname.endsWith(".googleapis.com");
  return { api: apiUrl, token: new URL("/token", isGoogle ? "https://oauth2.googleapis.com" : apiUrl) };
}

/** @throws SourceRefused for settings that cannot work */
export function googleDriveOf(context: ConnectorContext): GoogleDrive {
  let key: GoogleKey | undefined;
  const { config, service } = connect(context, declaration, {
    renew:
      "Create a new key for the service account in Google Cloud, check that the Drive API is enabled in its project, and enter the key in the source's settings.",
    // It becomes a token first, which goes along instead.
    login: (credentials) => {
      key = googleKeyOf(credentials.key);
      return {};
    },
  });
  const places = placesOf(config.apiUrl);
  const forTokens: Service = { ...service, addresses: [places.token.origin] };
  const loggedIn = async <T>(call: (service: Service) => Promise<T>): Promise<T> => {
    if (!key)
      throw new SourceRefused(
        "This source has no credentials to log in with. Enter them again.",
        "credentials",
      );
    for (let attempt = 1; ; attempt++) {
      const authorization = `Bearer ${await accessToken(forTokens, places.token, key)}`;
      try {
        return await call({ ...service, headers: { authorization } });
      } catch (error) {
        // A token that was kept may have been revoked; a new one tells whether the key is good.
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
  ) => (await loggedIn((to) => askJson(to, addressOf(path, query), { schema, explain: explained }))).data;
  const download = (path: string, query: Record<string, string>, patience?: BytesRequest["patience"]) =>
    loggedIn((to) =>
      askBytes(to, addressOf(path, query), {
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
        // Below a folder Google looks wherever the folder is.
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
          throw new SourceUnavailable("Google Drive sent an answer that cannot be read.");
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
        throw new SourceUnavailable("Google Drive sent an answer that cannot be read.");
      return {
        changes: changes.flatMap(({ fileId, removed, file }) =>
          fileId ? [{ id: fileId, isRemoved: removed === true || !file, file }] : [],
        ),
        ...(nextPageToken ? { next: nextPageToken } : {}),
        ...(newStartPageToken ? { end: newStartPageToken } : {}),
      };
    },
    async exported(id, type) {
      try {
        return await download(`files/${id}/export`, { mimeType: type }, exporting);
      } catch (error) {
        if (error instanceof TooLargeToExport) return undefined;
        throw failedAlone(error);
      }
    },
    async downloaded(id, type) {
      const { exportLinks } = await ask(
        `files/${id}`,
        { ...allDrives, fields: "exportLinks" },
        answers.links,
      );
      const link = URL.parse(exportLinks?.[type] ?? "");
      if (!link || !isOfDocs(link)) return undefined;
      try {
        const request = { maxBytes: mostFileBytes, patience: exporting, leadsTo: isOfBytes };
        return await loggedIn((to) => askBytes({ ...to, addresses: [link.origin] }, link, request));
      } catch (error) {
        const isRefused =
          error instanceof SourceRefused || error instanceof ItemGone || error instanceof ItemUnreadable;
        if (isRefused) return undefined;
        throw failedAlone(error);
      }
    },
    bytes: (id) => download(`files/${id}`, { ...allDrives, alt: "media" }),
  };
}

/** What is made first takes Google longest; both tries fit in the time that a document may take. */
const exporting = { timeoutMs: 22_000, tries: 2 };

/** Google fails to make some large documents every time: one of them must not keep the others from being read. */
function failedAlone(error: unknown): unknown {
  if (!hasFailed(error)) return error;
  return new ItemUnreadable(
    "Google could not export this document. The next sync tries again. If it keeps failing, split the document.",
    { cause: error },
  );
}

/** Google's own host of documents, and those that it sends callers on to, without credentials. */
const isOfDocs = (url: URL) => url.origin === "https://docs.google.com" || isAllowedPlace(url);
const isOfBytes = (url: URL) =>
  isAllowedPlace(url) || (url.protocol === "https:" && url.hostname.endsWith(".googleusercontent.com"));

class Unauthorized extends SourceRefused {}
class TooLargeToExport extends ItemUnreadable {}

/** Where Google takes it: not at drives, and not at exports. */
const allDrives = { supportsAllDrives: "true" };

const limits = new Set(["rateLimitExceeded", "userRateLimitExceeded", "sharingRateLimitExceeded"]);
const dayLimits = new Set(["dailyLimitExceeded", "quotaExceeded"]);
/** Of one file, and not of the account. */
const isHidden = new Set(["insufficientFilePermissions", "appNotAuthorizedToFile"]);

function reasonOf(body: unknown): { reason: string; location?: string | null | undefined } {
  const [first] = answers.failure.safeParse(body).data?.error.errors ?? [];
  return first ?? { reason: "" };
}

/** What Google says of one file's bytes: others come all the same. */
function refusedFile(status: number, body: unknown): Error | undefined {
  if (status !== 403) return undefined;
  const { reason } = reasonOf(body);
  if (reason === "cannotDownloadAbusiveFile")
    return new ItemUnreadable(
      "Google considers this file harmful and gives it only to its owner. Ask its owner to check it and to request a review.",
    );
  if (reason === "downloadQuotaExceeded")
    return new ItemUnreadable(
      "Google has paused downloads of this file, because it was downloaded too often. The next sync tries again.",
    );
  return undefined;
}

/** A 403 is a limit, a document's size, a switched-off API or a missing permission: its reason says which. */
const explainFor =
  ({ name, renew }: Service) =>
  (status: number, body: unknown, headers: Headers): Error | undefined => {
    const { reason, location } = reasonOf(body);
    const isLimit = status === 429 || (status === 403 && (limits.has(reason) || dayLimits.has(reason)));
    if (isLimit)
      return new SourceUnavailable(
        "Google Drive asks to be called less often.",
        retryAfterMs(headers) ?? (dayLimits.has(reason) ? hourMs : leastMs),
      );
    if (status === 401)
      return new Unauthorized(
        `${name} does not accept these credentials: they are wrong, expired or revoked. ${renew}`,
        "credentials",
      );
    if (status === 410 || (status === 400 && location === "pageToken")) return new PositionLost(reason);
    if (status === 403 && reason === "accessNotConfigured")
      return new SourceRefused(
        "The Drive API is not enabled in the Google Cloud project of this key. Enable it there.",
        "credentials",
      );
    if (status === 403 && reason === "insufficientPermissions")
      return new SourceRefused(
        "This key may not read Drive. Create one with the scope drive.readonly, and enter it in the source's settings.",
        "credentials",
      );
    if (status === 403 && reason === "domainPolicy")
      return new SourceRefused(
        "The administrators of this Google Workspace do not let apps read Drive. Ask them to allow it.",
        "credentials",
      );
    if (status === 403 && reason === "exportSizeLimitExceeded") return new TooLargeToExport(tooLargeToExport);
    // A shared drive that the account has been removed from.
    if (status === 403 && reason === "teamDriveMembershipRequired")
      return new ItemGone("not a member of the drive");
    return undefined;
  };
