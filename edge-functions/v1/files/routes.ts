// Owns the endpoints for files: upload (multipart or signed URL), list, download URL, deletion.
import { readAsCaller } from "../../_shared/database/db.ts";
import { ApiError, isRefusal, storageReached } from "../../_shared/requests/errors.ts";
import { discardObjects, parseObjectKey, signDownload, signUpload } from "../../_shared/storage/storage.ts";
import type { CallLimit } from "../call-limits.ts";
import { calledTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { deletedResponse, removeInTeam, restoreInTeam, restoring } from "../undoing.ts";
import { isShown } from "./content-types.ts";
import { withCopies } from "./copying.ts";
import * as queries from "./queries.ts";
import { type Place, registerFile } from "./registration.ts";
import {
  file,
  filesQuery,
  fileWithUrl,
  newFile,
  signedUrl,
  signedUrlQuery,
  storage,
  uploadBody,
} from "./schema.ts";
import { newPlace, readRefusing, readStorage, signPlace } from "./storage-queries.ts";
import { fileUpload, inspectObject, receiveUpload } from "./upload.ts";
import { isVersion } from "./version-queries.ts";

const route = routes({ tags: ["Files"] });

/** High enough for dragging in a folder, low enough to stop a program in a loop. */
export const uploadLimit: CallLimit = {
  name: "upload",
  windowSeconds: 600,
  perAddress: 3000,
  perSubject: 1500,
};

/** Mounted at /v1/teams. */
export const files = router()
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/files/upload",
      permission: "files.write",
      upload: fileUpload,
      limit: uploadLimit,
      summary: "Upload a file of at most 50 MiB",
      request: { params: inTeam, body: uploadBody },
      responses: { 201: json(file, "Created") },
    }),
    async (c) => {
      const place = await workInTeam(c, (tx, team) => newPlace(tx, team, c.req.raw));
      const arrived = await receiveUpload(c.req.raw, place.key);
      try {
        return c.json(await registerFile(claimsOf(c), place, arrived), 201);
      } catch (error) {
        // After any other error the file may exist. The hourly scan deletes an object without one.
        if (isRefusal(error)) await discardObjects([place.key]);
        throw error;
      }
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/files/signedUrl",
      permission: "files.write",
      limit: uploadLimit,
      summary: "Get a signed URL to upload a file to",
      request: { params: inTeam, query: signedUrlQuery },
      responses: { 200: json(signedUrl) },
    }),
    async (c) => {
      const { contentType } = c.req.valid("query");
      const key = await workInTeam(c, signPlace);
      return c.json({ ...(await signUpload(key, contentType)), path: key }, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/files",
      permission: "files.write",
      summary: "Register a file uploaded to a signed URL",
      request: { params: inTeam, body: jsonBody(newFile) },
      responses: { 201: json(file, "Created") },
    }),
    async (c) => {
      const { path, name } = c.req.valid("json");
      const teamId = await calledTeam(c);
      const place = signedPlace(path, teamId);
      // An object with a row is already a file: it is neither read nor, if invalid, deleted.
      const [taken, refusing] = await readAsCaller(claimsOf(c), (tx) =>
        Promise.all([isVersion(tx, teamId, place.key), readRefusing(tx, teamId, place.key)]),
      );
      if (taken) throw new ApiError("CONFLICT", "This file is already registered.");
      if (refusing) throw storageReached(refusing);
      const arrived = await inspectObject(place.key, name);
      return c.json(await registerFile(claimsOf(c), place, arrived), 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/files",
      permission: "files.read",
      summary: "List a team's files",
      request: { params: inTeam, query: filesQuery },
      responses: { 200: json(pageOf(file)) },
    }),
    async (c) =>
      c.json(await readInTeam(c, (tx, team) => queries.listFiles(tx, team, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/storage",
      permission: "files.read",
      summary: "Read how much a team stores",
      description:
        "In bytes: files with their versions, texts of documents, and passages with their vectors. `limit` is the operator's for every " +
        "team, null without one. What would exceed it is refused with STORAGE_REACHED; nothing that is stored is deleted.",
      request: { params: inTeam },
      responses: { 200: json(storage) },
    }),
    async (c) => c.json(await readInTeam(c, readStorage), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/files/{id}",
      permission: "files.read",
      summary: "Read a file, with a URL to open it",
      request: { params: oneInTeam },
      responses: { 200: json(fileWithUrl) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { row, usedIn } = await readInTeam(c, async (tx, team) => {
        const [one, usedIn] = await Promise.all([
          queries.readFile(tx, team, id),
          queries.readUses(tx, team, id),
        ]);
        return { row: requireRow(one), usedIn };
      });
      const { path, name, contentType } = row;
      const url = await signDownload(
        parseObjectKey(path, row.teamId),
        isShown(contentType) ? undefined : name,
      );
      return c.json({ ...row, url, usedIn }, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/files/{id}",
      permission: "files.read",
      summary: "Delete a file and what was indexed from it",
      description:
        "Deletes all its versions. It cannot be undone if they exceed 200 MiB in total, or if storage cannot copy them now.",
      request: { params: oneInTeam },
      responses: deletedResponse,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await withCopies(c, id, async () => {
        const { path } = await removeInTeam(
          c,
          { kind: "files", id },
          {
            remove: (tx, team) => queries.deleteFile(tx, team, id),
            read: (tx, team) => queries.readFile(tx, team, id),
          },
        );
        return parseObjectKey(path);
      });
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/files/{id}/restore",
      permission: "files.write",
      summary: "Restore a deleted file",
      ...restoring,
      request: { params: oneInTeam },
      responses: { 200: json(file) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await restoreInTeam(c, { kind: "files", id }, (tx, team) => queries.readFile(tx, team, id));
      kickIndexing();
      return c.json(row, 200);
    },
  );

/** Parses a path issued by signedUrl. @throws ApiError VALIDATION_FAILED for any other path */
function signedPlace(path: string, teamId: string): Place {
  try {
    const key = parseObjectKey(path, teamId);
    return { id: key.slice(key.lastIndexOf("/") + 1), teamId, key };
  } catch {
    const message = "Send the path that signedUrl returned for this team.";
    throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "path", message }] });
  }
}
