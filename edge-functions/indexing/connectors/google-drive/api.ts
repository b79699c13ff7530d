// The client for Google Drive's API, version 3: files, exports, shared drives, changes. Knows nothing of documents. Source:
// developers.google.com/workspace/drive/api/reference/rest/v3.
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type ConnectorContext,
  ItemGone,
  ItemUnreadable,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { requestBytes } from "../http.ts";
import { mostFileBytes } from "../readable.ts";
import * as answers from "./answers.ts";
import { callsOf } from "./calls.ts";
import type { GoogleDriveConfig } from "./declaration.ts";
import { asItemFailure, isHiddenFile, TooLargeToExport } from "./refusals.ts";

const filesAtOnce = 200;
/** Of a hundred shared drives each: an account has thousands at most. */
const mostDriveCalls = 200;
export const illegible = () => new SourceUnavailable(sentenceOf("illegible", { service: "Google Drive" }));
export const nothingShown = sentenceOf("googleDriveNone");

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

/** @throws SourceRefused for invalid settings */
export function googleDriveOf(context: ConnectorContext): GoogleDrive {
  const { config, explain, ask, download, withLogin } = callsOf(context);
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
          isHiddenFile(status, body)
            ? new ItemGone("the account may not see this file")
            : explain(status, body, headers),
      ),
    async drives() {
      const all: { id: string; name: string }[] = [];
      let after: string | undefined;
      for (let call = 0; call < mostDriveCalls; call++) {
        const query = { pageSize: "100", pageToken: after, fields: "nextPageToken,drives(id,name)" };
        const { drives, nextPageToken } = await ask("drives", query, answers.drives);
        all.push(...drives.map(({ id, name }) => ({ id, name: name ?? id })));
        if (!nextPageToken) return all;
        after = nextPageToken;
      }
      throw illegible();
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
      if (!nextPageToken && !newStartPageToken) throw illegible();
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

/** Google's own host of documents, and hosts that it redirects to without credentials. */
const isOfDocs = (url: URL) => url.origin === "https://docs.google.com" || isAllowedPlace(url);
const isOfBytes = (url: URL) =>
  isAllowedPlace(url) || (url.protocol === "https:" && url.hostname.endsWith(".googleusercontent.com"));

/** For calls that accept it: not those to drives and exports. */
const allDrives = { supportsAllDrives: "true" };
