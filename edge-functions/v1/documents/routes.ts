// Owns the calls for the documents of a source.
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { asCaller, type Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { connectorTypes } from "../../indexing/connectors/registry.ts";
import { inWords, languageOf } from "../language.ts";
import {
  type AppEnv,
  accepted,
  changed,
  claimsOf,
  cursorPageOf,
  failures,
  found,
  json,
  jsonBody,
  router,
  signedIn,
  teamRef,
  teamWith,
} from "../router.ts";
import { indexSource, readSource } from "../sources/queries.ts";
import { kickIndexing } from "../tasks/kick.ts";
import * as queries from "./queries.ts";
import {
  type Document,
  type DocumentUpdate,
  document,
  documentIndex,
  documentsQuery,
  documentUpdate,
  documentWithContent,
  newDocument,
} from "./schema.ts";

const inSource = z.object({ teamId: teamRef, sourceId: z.uuid() });
const oneInSource = inSource.extend({ id: z.uuid() });
const tags = ["Documents"];

type Work<T> = (tx: Transaction, place: queries.Place) => Promise<T>;

/** Work on a source that the caller can see. */
async function withSource<T>(
  c: Context<AppEnv>,
  { teamId, sourceId }: z.infer<typeof inSource>,
  work: Work<T>,
): Promise<T> {
  return await asCaller(claimsOf(c), async (tx) => {
    const team = await teamWith(tx, teamId, "sources.read");
    found(await readSource(tx, team, sourceId));
    return await work(tx, { teamId: team, sourceId });
  });
}

/** Mounted at /v1/teams. */
export const documents = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents",
      tags,
      summary: "List a source's documents",
      middleware: [signedIn],
      request: { params: inSource, query: documentsQuery },
      responses: { 200: json(cursorPageOf(document)), ...failures },
    }),
    async (c) => {
      const query = c.req.valid("query");
      const page = await withSource(c, c.req.valid("param"), async (tx, place) => {
        const language = await languageOf(c, tx);
        const { data, lastKey } = await queries.listDocuments(tx, place, query);
        return { data: data.map((row) => inWords(row, language)), lastKey };
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/sources/{sourceId}/documents",
      tags,
      summary: "Add a document as text",
      description: "It is indexed at once in every knowledge that has the source.",
      middleware: [signedIn],
      request: { params: inSource, body: jsonBody(newDocument) },
      responses: { 201: json(documentWithContent, "Created"), ...failures },
    }),
    async (c) => {
      const values = c.req.valid("json");
      refuseConnectorType(values.type);
      const row = await withSource(c, c.req.valid("param"), async (tx, place) => {
        const id = found(await queries.createDocument(tx, place, values));
        await queries.indexDocument(tx, id);
        return await queries.readDocument(tx, place, id);
      });
      kickIndexing();
      return c.json(found(row), 201);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/sources/{sourceId}/documents",
      tags,
      summary: "Delete a source's documents",
      description: "All of them, or those with an external id or of a type.",
      middleware: [signedIn],
      request: { params: inSource, query: documentsQuery.pick({ externalId: true, type: true }) },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const query = c.req.valid("query");
      await withSource(c, c.req.valid("param"), async (tx, place) => {
        // Checked by name: row-level security denies a deletion in silence, and there may be nothing to delete.
        await teamWith(tx, place.teamId, "sources.write");
        const count = await queries.deleteDocuments(tx, place, query);
        if (count > 0) await indexSource(tx, place.sourceId);
      });
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents/external/{id}",
      tags,
      summary: "Read a document by its external id",
      middleware: [signedIn],
      request: { params: inSource.extend({ id: z.string().min(1).max(512) }) },
      responses: { 200: json(documentWithContent), ...failures },
    }),
    async (c) => {
      const { id, ...place } = c.req.valid("param");
      const row = await withSource(c, place, async (tx, source) =>
        inWords(found(await queries.readByExternalId(tx, source, id)), await languageOf(c, tx)),
      );
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents/{id}",
      tags,
      summary: "Read a document with its content",
      middleware: [signedIn],
      request: { params: oneInSource },
      responses: { 200: json(documentWithContent), ...failures },
    }),
    async (c) => {
      const { id, ...place } = c.req.valid("param");
      const row = await withSource(c, place, async (tx, source) =>
        inWords(found(await queries.readDocument(tx, source, id)), await languageOf(c, tx)),
      );
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{teamId}/sources/{sourceId}/documents/{id}",
      tags,
      summary: "Change a document",
      description: "A changed title or content is indexed again by itself.",
      middleware: [signedIn],
      request: { params: oneInSource, body: jsonBody(documentUpdate) },
      responses: { 200: json(documentWithContent), ...failures },
    }),
    async (c) => {
      const { id, ...ref } = c.req.valid("param");
      const values = c.req.valid("json");
      refuseConnectorType(values.type);
      const row = await withSource(c, ref, async (tx, place) => {
        refuseOtherContent(found(await queries.readDocument(tx, place, id)), values);
        const updated = await queries.updateDocument(tx, place, id, values);
        await changed(updated, async () => (await queries.readDocument(tx, place, id)) !== undefined);
        if (values.content !== undefined || values.title !== undefined) await queries.indexDocument(tx, id);
        return await queries.readDocument(tx, place, id);
      });
      kickIndexing();
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/sources/{sourceId}/documents/{id}",
      tags,
      summary: "Delete a document",
      description: "A document of a file comes back at the next load, unless the file goes too.",
      middleware: [signedIn],
      request: { params: oneInSource },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id, ...ref } = c.req.valid("param");
      await withSource(c, ref, async (tx, place) => {
        const deleted = await queries.deleteDocument(tx, place, id);
        await changed(deleted, async () => (await queries.readDocument(tx, place, id)) !== undefined);
        await indexSource(tx, place.sourceId);
      });
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents/{id}/index",
      tags,
      summary: "Read how far a document's indexing is",
      middleware: [signedIn],
      request: { params: oneInSource },
      responses: { 200: json(documentIndex), ...failures },
    }),
    async (c) => {
      const { id, ...place } = c.req.valid("param");
      const row = await withSource(c, place, async (tx, source) => {
        const language = await languageOf(c, tx);
        const { indexes, ...index } = found(await queries.readIndex(tx, source, id));
        return { ...inWords(index, language), indexes: indexes.map((one) => inWords(one, language)) };
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/sources/{sourceId}/documents/{id}/index",
      tags,
      summary: "Read and index a document again",
      middleware: [signedIn],
      request: { params: oneInSource },
      responses: { 202: json(accepted, "Accepted"), ...failures },
    }),
    async (c) => {
      const { id, ...place } = c.req.valid("param");
      const taskId = await withSource(c, place, async (tx, source) => {
        found(await queries.readDocument(tx, source, id));
        return await queries.indexDocument(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  );

/** What a connector reads, it also replaces and removes: nobody else makes documents of its type. */
function refuseConnectorType(type: string | undefined): void {
  if (type === undefined || !connectorTypes.includes(type)) return;
  const message = `Documents of type “${type}” are made from their source alone.`;
  throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "type", message }] });
}

function refuseOtherContent(document: Document, { content, externalId, type }: DocumentUpdate): void {
  if (!connectorTypes.includes(document.type)) return;
  if (content === undefined && externalId === undefined && type === undefined) return;
  throw new ApiError("CONFLICT", "This document is read from its source: change it there.");
}
