// Owns the endpoints for file versions: the list, uploading a newer version, and restoring an earlier one.
import { isRefusal } from "../../_shared/requests/errors.ts";
import { discardObjects } from "../../_shared/storage/storage.ts";
import { calledTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { claimsOf, json, pageOf, pageQuery, requireRow, router, wholeNumber } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { readFile } from "./queries.ts";
import { replaceFile, restoreVersion } from "./replacing.ts";
import { uploadLimit } from "./routes.ts";
import { file, fileVersion, uploadBody } from "./schema.ts";
import { newPlace } from "./storage-queries.ts";
import { fileUpload, receiveUpload } from "./upload.ts";
import { listFileVersions } from "./version-queries.ts";

const route = routes({ tags: ["Files"] });

/** Mounted at /v1/teams. */
export const fileVersions = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/files/{id}/versions",
      permission: "files.read",
      summary: "List a file's versions, newest first",
      description: "The latest 20 versions are kept.",
      request: { params: oneInTeam, query: pageQuery },
      responses: { 200: json(pageOf(fileVersion)) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await readInTeam(c, async (tx, teamId) => {
        const [row, versions] = await Promise.all([
          readFile(tx, teamId, id),
          listFileVersions(tx, { teamId, fileId: id }, c.req.valid("query")),
        ]);
        requireRow(row);
        return versions;
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/files/{id}/content",
      permission: "files.write",
      upload: fileUpload,
      limit: uploadLimit,
      summary: "Replace a file with a newer version of at most 50 MiB",
      description:
        "The file keeps its id, and its previous version answers questions until the new one is indexed. If the new version " +
        "cannot be read, the previous text stays and the document gives the reason. Of two concurrent uploads, the later one is " +
        "current.",
      request: { params: oneInTeam, body: uploadBody },
      responses: { 200: json(file) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { teamId, key } = await workInTeam(c, async (tx, team) => {
        requireRow(await readFile(tx, team, id));
        return await newPlace(tx, team, c.req.raw);
      });
      const arrived = await receiveUpload(c.req.raw, key);
      try {
        const replaced = await replaceFile(claimsOf(c), { teamId, id }, key, arrived);
        kickIndexing();
        return c.json(replaced, 200);
      } catch (error) {
        if (isRefusal(error)) await discardObjects([key]);
        throw error;
      }
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/files/{id}/versions/{number}/restore",
      permission: "files.write",
      summary: "Restore a version of a file",
      description: "Creates a new version with the same bytes, which is read and indexed again.",
      request: {
        params: oneInTeam.extend({ number: wholeNumber(1, 2 ** 31 - 1) }),
      },
      responses: { 201: json(file, "Created") },
    }),
    async (c) => {
      const { id, number } = c.req.valid("param");
      const teamId = await calledTeam(c);
      const restored = await restoreVersion(claimsOf(c), { teamId, id }, number);
      kickIndexing();
      return c.json(restored, 201);
    },
  );
