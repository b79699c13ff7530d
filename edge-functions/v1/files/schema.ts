// Owns the schemas of files.

import { z } from "@hono/zod-openapi";
import { refusal } from "../../_shared/requests/refusals.ts";
import { isPlainText, plainText } from "../../_shared/text/plain-text.ts";
import { author } from "../agent-versions/schema.ts";
import { id, namePart, pageQuery, times } from "../router.ts";
import { sortQuery } from "../sorting.ts";

const fileName = z.string().openapi({ example: "Handbook 2026.pdf" });

/** The given name, or that name cleaned to one visible line: nobody has to rename a file. */
export const givenFileName = z
  .string()
  .max(255, refusal("fileNameLong").message)
  .transform((name) => (isPlainText(name) ? name : plainText(name)))
  .pipe(z.string().min(1, refusal("fileNameEmpty").message))
  .openapi({ type: "string", minLength: 1, maxLength: 255, example: "Handbook 2026.pdf" });

const fileType = z.enum(["document", "image", "other"]);

export const file = z
  .object({
    id,
    teamId: id,
    name: fileName,
    type: fileType,
    contentType: z.string().openapi({ example: "application/pdf" }),
    size: z.int().openapi({ description: "In bytes." }),
    path: z.string().openapi({ description: "Path of the bytes in storage." }),
    sha256: z.string().openapi({ description: "SHA-256 of the bytes, in hexadecimal." }),
    version: z.int().openapi({ description: "Number of the current version, starting at 1." }),
    ...times,
  })
  .openapi("File");
export type File = z.infer<typeof file>;

const use = z
  .object({
    sourceId: id,
    sourceName: z.string(),
    documentId: id.nullable().openapi({ description: "The document read from it. Null until it is read." }),
    knowledges: z.array(z.object({ id, name: z.string() })),
  })
  .openapi("FileUse");
export type FileUse = z.infer<typeof use>;

export const fileWithUrl = file
  .extend({
    url: z.string().openapi({ description: "Shows the file. Valid for five minutes." }),
    usedIn: z
      .array(use)
      .openapi({ description: "The sources that list it, and the knowledge bases that contain them." }),
  })
  .openapi("FileWithUrl");

export const fileVersion = z
  .object({
    id,
    teamId: id,
    fileId: id,
    number: z.int().openapi({ description: "Number of the file's version, starting at 1." }),
    name: fileName,
    type: fileType,
    contentType: z.string(),
    size: z.int().openapi({ description: "In bytes." }),
    sha256: z.string().openapi({ description: "SHA-256 of the bytes, in hexadecimal." }),
    isCurrent: z.boolean().openapi({
      description:
        "Whether it is the current version. The previous one answers questions until the current one is indexed.",
    }),
    restoredFrom: z.int().nullable().openapi({ description: "The number of the version that it restored." }),
    author,
    ...times,
  })
  .openapi("FileVersion");
export type FileVersion = z.infer<typeof fileVersion>;

export const filesQuery = pageQuery.extend({
  type: fileType.optional(),
  contentType: z
    .string()
    .max(255)
    .optional()
    .openapi({ description: "The exact type.", example: "application/pdf" }),
  name: namePart,
  sort: sortQuery(["createdAt", "name", "size"]),
});
export type FilesQuery = z.infer<typeof filesQuery>;

/** The multipart/form-data body. Described but not parsed here: the file is streamed to storage. */
export const uploadBody = {
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object" as const,
        properties: { file: { type: "string" as const, format: "binary" } },
        required: ["file"],
      },
    },
  },
};

const contentType = z
  .string()
  .max(255)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;.*)?$/, "This is not a content type, such as application/pdf.");

export const signedUrlQuery = z.object({
  path: z.string().min(1).max(1000).openapi({
    description: "The file's name or path on the sender's side. Its path in storage is assigned here.",
    example: "Handbook 2026.pdf",
  }),
  contentType: contentType.openapi({
    example: "application/pdf",
    description: "The type as which the file will be uploaded.",
  }),
});

export const signedUrl = z
  .object({
    url: z
      .string()
      .openapi({ description: "Send the bytes to this URL, with this method and these headers." }),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()),
    path: z.string().openapi({ description: "Register the file under this path after the upload." }),
    expiresAt: z.iso.datetime(),
  })
  .openapi("SignedUrl");

export const newFile = z
  .strictObject({ path: z.string().min(1).max(1000), name: givenFileName })
  .openapi("NewFile");

export const storage = z
  .object({
    used: z.number().int().openapi({ description: "In bytes.", example: 73400320 }),
    limit: z
      .number()
      .int()
      .nullable()
      .openapi({ description: "In bytes; null without a limit.", example: 1073741824 }),
  })
  .openapi("Storage");
export type Storage = z.infer<typeof storage>;
