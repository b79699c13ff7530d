// Owns the calls for files: two ways in (multipart, signed URL), the list, one with an address to open it, and away.
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { asCaller, readAsCaller, type Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { clientAddresses, hitsOfLimit, type Limit, take } from "../../_shared/limits.ts";
import {
  newObjectKey,
  parseObjectKey,
  removeObjects,
  signDownload,
  signUpload,
} from "../../_shared/storage.ts";
import { removeUnwantedObjects } from "../../_shared/unwanted-objects.ts";
import { changeInTeam, inTeam, oneInTeam, readInTeam } from "../in-team.ts";
import {
  type AppEnv,
  claimsOf,
  failures,
  found,
  json,
  jsonBody,
  pageOf,
  router,
  signedIn,
  teamWith,
} from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import * as queries from "./queries.ts";
import { type Place, registerFile } from "./registration.ts";
import { file, filesQuery, fileWithUrl, newFile, signedUrl, signedUrlQuery, uploadBody } from "./schema.ts";
import { inspectObject, receiveUpload } from "./upload.ts";

const tags = ["Files"];

/** Generous to somebody who drags a folder in, and an end to a program that runs wild. */
const uploadLimit: Limit = { windowSeconds: 600, perAddress: 3000, perSubject: 1500 };

async function limitUploads(c: Context<AppEnv>): Promise<void> {
  const { caller } = c.var;
  const addresses = clientAddresses(c.req.header("X-Forwarded-For"));
  await take(hitsOfLimit("upload", uploadLimit, addresses, "id" in caller ? caller.id : undefined));
}

/** Where a new file of a team goes, for a caller who may add files. */
async function newPlace(tx: Transaction, ref: string): Promise<Place> {
  const teamId = await teamWith(tx, ref, "files.write");
  const [row] = await tx<{ id: string }[]>`select private.uuid_v7() as id`;
  const { id } = found(row);
  return { id, teamId, key: newObjectKey(teamId, id) };
}

/** Mounted at /v1/teams. */
export const files = router()
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/files/upload",
      tags,
      summary: "Upload a file of at most 50 MiB",
      middleware: [signedIn],
      request: { params: inTeam, body: uploadBody },
      responses: { 201: json(file, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      await limitUploads(c);
      const place = await asCaller(claimsOf(c), (tx) => newPlace(tx, teamId));
      const arrived = await receiveUpload(c.req.raw, place.key);
      try {
        return c.json(await registerFile(claimsOf(c), place, arrived), 201);
      } catch (error) {
        await removeObjects([place.key]);
        throw error;
      }
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/files/signedUrl",
      tags,
      summary: "Get an address to upload a file to",
      middleware: [signedIn],
      request: { params: inTeam, query: signedUrlQuery },
      responses: { 200: json(signedUrl), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const { contentType } = c.req.valid("query");
      await limitUploads(c);
      const { key } = await asCaller(claimsOf(c), (tx) => newPlace(tx, teamId));
      return c.json({ ...(await signUpload(key, contentType)), path: key }, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/files",
      tags,
      summary: "Register a file that was sent to a signed URL",
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newFile) },
      responses: { 201: json(file, "Created"), ...failures },
    }),
    async (c) => {
      const { path, name } = c.req.valid("json");
      const teamId = await asCaller(claimsOf(c), (tx) =>
        teamWith(tx, c.req.valid("param").teamId, "files.write"),
      );
      const place = signedPlace(path, teamId);
      // An object that has its row already is somebody's file: it is neither read nor, when unfit, removed.
      const taken = await readAsCaller(claimsOf(c), (tx) => queries.readFile(tx, teamId, place.id));
      if (taken) throw new ApiError("CONFLICT", "This file is registered already.");
      const arrived = await inspectObject(place.key, name);
      return c.json(await registerFile(claimsOf(c), place, arrived), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/files",
      tags,
      summary: "List a team's files",
      middleware: [signedIn],
      request: { params: inTeam, query: filesQuery },
      responses: { 200: json(pageOf(file)), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const page = await readInTeam(c, teamId, "files.read", (tx, team) =>
        queries.listFiles(tx, team, c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/files/{id}",
      tags,
      summary: "Read a file, with an address to open it",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(fileWithUrl), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const { row, usedIn } = await readInTeam(c, teamId, "files.read", async (tx, team) => {
        const [one, usedIn] = await Promise.all([
          queries.readFile(tx, team, id),
          queries.readUses(tx, team, id),
        ]);
        return { row: found(one), usedIn };
      });
      const { path, type, name, contentType } = row;
      // Only images are shown by the browser itself: a stored page could carry a script.
      const url = await signDownload(
        parseObjectKey(path, row.teamId),
        type === "image" && !contentType.includes("svg") ? undefined : name,
      );
      return c.json({ ...row, url, usedIn }, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/files/{id}",
      tags,
      summary: "Delete a file, and what was indexed from it",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const { path } = await changeInTeam(c, teamId, "files.read", {
        change: (tx, team) => queries.deleteFile(tx, team, id),
        read: (tx, team) => queries.readFile(tx, team, id),
      });
      await removeUnwantedObjects([parseObjectKey(path)]);
      kickIndexing();
      return c.body(null, 204);
    },
  );

/** Where a path that signedUrl gave leads. @throws ApiError VALIDATION_FAILED for any other path */
function signedPlace(path: string, teamId: string): Place {
  try {
    const key = parseObjectKey(path, teamId);
    return { id: key.slice(key.lastIndexOf("/") + 1), teamId, key };
  } catch {
    const message = "This is not a path that signedUrl gave for this team.";
    throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "path", message }] });
  }
}
