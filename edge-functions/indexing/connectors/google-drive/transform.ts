// Converts a file of Google Drive to an item, and decides how its content is requested. Pure.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { PageNote, SourceItem } from "../connector.ts";
import { revisionOf, titleOf } from "../markup.ts";
import { kindProblem, mostFileBytes, tooLargeFile, unreadFile } from "../readable.ts";
import { type DriveFile, folderType, identified, shortcutType } from "./answers.ts";
import type { GoogleDriveConfig } from "./declaration.ts";

const office = "application/vnd.openxmlformats-officedocument";
/** The export format of Google's own documents, and the fallback when that export is too large. */
const exports: Record<
  string,
  { type: string; extension: string; otherwise?: { type: string; extension: string } }
> = {
  "application/vnd.google-apps.document": {
    type: `${office}.wordprocessingml.document`,
    extension: "docx",
    otherwise: { type: "text/plain", extension: "txt" },
  },
  "application/vnd.google-apps.spreadsheet": { type: `${office}.spreadsheetml.sheet`, extension: "xlsx" },
  "application/vnd.google-apps.presentation": {
    type: `${office}.presentationml.presentation`,
    extension: "pptx",
    otherwise: { type: "text/plain", extension: "txt" },
  },
};
const shortcut = sentenceOf("googleDriveShortcut");
/** Types of files whose name has no known extension. */
const documentTypes = new Set([
  "application/pdf",
  "application/epub+zip",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/json",
  "application/rtf",
  "message/rfc822",
  "text/csv",
  "text/html",
  "text/markdown",
  "text/plain",
  "text/rtf",
  "text/tab-separated-values",
  ...Object.values(exports).map(({ type }) => type),
]);

export const idPattern = /^[A-Za-z0-9_-]{5,200}$/;
export const exportOf = ({ mimeType }: DriveFile) => exports[mimeType];
export const isFolder = ({ mimeType }: DriveFile) => mimeType === folderType;

export const revisionOfFile = ({ md5Checksum, modifiedTime }: DriveFile): string =>
  revisionOf(md5Checksum ?? modifiedTime ?? "");

/** Returns a readable file as an item, or a note on why it is left out. Neither for folders. */
export function fileItem(found: DriveFile, wanted: Wanted): { item?: SourceItem; note?: PageNote } {
  const { id, name, webViewLink } = found;
  if (isFolder(found)) return {};
  const title = titleOf(name ?? "", "Untitled");
  const address = webViewLink?.slice(0, 500) ?? `https://drive.google.com/file/d/${id}`;
  const problem = problemOf(found, title, wanted);
  if (problem) return { note: { address, title, problem } };
  return {
    item: {
      externalId: id,
      title,
      ...(webViewLink ? { url: webViewLink } : {}),
      revision: revisionOfFile(found),
      ...(found.modifiedTime ? { changedAt: found.modifiedTime } : {}),
    },
  };
}

/** The settings that select files. */
type Wanted = Pick<GoogleDriveConfig, "withPictures">;

/** Why a file is not read, or undefined. */
export function problemOf(found: DriveFile, title: string, { withPictures }: Wanted): string | undefined {
  const { mimeType, capabilities } = found;
  if (mimeType === shortcutType) return shortcut;
  if (!exportOf(found)) {
    if (mimeType.startsWith("application/vnd.google-apps.")) return unreadFile;
    const problem = documentTypes.has(mimeType) ? undefined : kindProblem(title, mimeType, withPictures);
    if (problem) return problem;
    if ((found.size ?? 0) > mostFileBytes) return tooLargeFile;
  }
  return capabilities?.canDownload === false ? sentenceOf("googleDriveOwner") : undefined;
}

/** An item for a malformed file, so that it fails alone. Undefined without even an id. */
export function damagedItem(raw: unknown): SourceItem | undefined {
  const found = identified.safeParse(raw).data;
  if (!found) return undefined;
  return {
    externalId: found.id,
    title: titleOf(found.name ?? "", "Untitled"),
    revision: revisionOf(JSON.stringify(raw)),
  };
}
