// Schemas of the parts of Google Drive's responses that we read. Source:
// developers.google.com/workspace/drive/api/reference/rest/v3.
import { z } from "zod";

export const folderType = "application/vnd.google-apps.folder";
export const shortcutType = "application/vnd.google-apps.shortcut";

const id = z.string().regex(/^[A-Za-z0-9_-]{5,200}$/);
export const file = z.object({
  id,
  name: z.string().nullish(),
  mimeType: z.string(),
  /** Bytes; absent for Google's own documents. */
  size: z.coerce.number().nullish(),
  modifiedTime: z.string().nullish(),
  md5Checksum: z.string().nullish(),
  webViewLink: z.string().nullish(),
  parents: z.array(z.string()).nullish(),
  driveId: id.nullish(),
  trashed: z.boolean().nullish(),
  capabilities: z.object({ canDownload: z.boolean().nullish() }).nullish(),
});
export type DriveFile = z.infer<typeof file>;
export const fileFields =
  "id,name,mimeType,size,modifiedTime,md5Checksum,webViewLink,parents,driveId,trashed,capabilities/canDownload";

/** The URLs of Google's export formats, by MIME type. */
export const links = z.object({ exportLinks: z.record(z.string(), z.string()).nullish() });

export const identified = z.object({ id, name: z.string().nullish().catch(null) });

export const files = z.object({
  files: z.array(z.unknown()),
  nextPageToken: z.string().nullish(),
  incompleteSearch: z.boolean().nullish(),
});
export const drives = z.object({
  drives: z.array(z.object({ id, name: z.string().nullish() })),
  nextPageToken: z.string().nullish(),
});
export const startPageToken = z.object({ startPageToken: z.string() });
export const changes = z.object({
  changes: z.array(
    z.object({
      changeType: z.string().nullish(),
      removed: z.boolean().nullish(),
      fileId: id.nullish(),
      file: z.unknown().optional(),
    }),
  ),
  nextPageToken: z.string().nullish(),
  newStartPageToken: z.string().nullish(),
});

export const token = z.object({ access_token: z.string(), expires_in: z.number() });
export const failure = z.object({
  error: z.object({
    errors: z
      .array(z.object({ reason: z.string().catch(""), location: z.string().nullish().catch(null) }))
      .catch([]),
  }),
});
