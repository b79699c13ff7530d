// Owns the endpoints for the documents of a source.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { connectorTypes } from "../../indexing/connectors/registry.ts";
import { cursorPageOf } from "../cursors.ts";
import { inTeam, workInTeam } from "../in-team.ts";
import { inWords, languageOf } from "../language.ts";
import { routes } from "../route.ts";
import { type AppEnv, accepted, json, jsonBody, requireChange, requireRow, router } from "../router.ts";
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

const route = routes({ tags: ["Documents"], permission: "sources.read" });

const inSource = inTeam.extend({ sourceId: z.uuid() });
const oneInSource = inSource.extend({ id: z.uuid() });

type Work<T> = (tx: Transaction, place: queries.Place) => Promise<T>;

/** Runs work on a source that the caller can see. */
async function withSource<T>(c: Context<AppEnv>, sourceId: string, work: Work<T>): Promise<T> {
  return await workInTeam(c, async (tx, team) => {
    requireRow(await readSource(tx, team, sourceId));
    return await work(tx, { teamId: team, sourceId });
  });
}

/** Mounted at /v1/teams. */
export const documents = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents",
      summary: "List a source's documents",
      request: { params: inSource, query: documentsQuery },
      responses: { 200: json(cursorPageOf(document)) },
    }),
    async (c) => {
      const query = c.req.valid("query");
      const page = await withSource(c, c.req.valid("param").sourceId, async (tx, place) => {
        const language = await languageOf(c, tx);
        const { data, lastKey } = await queries.listDocuments(tx, place, query);
        return { data: data.map((row) => inWords(row, language)), lastKey };
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{sourceId}/documents",
      summary: "Add a document as text",
      description: "It is indexed immediately in every knowledge base that contains the source.",
      request: { params: inSource, body: jsonBody(newDocument) },
      responses: { 201: json(documentWithContent, "Created") },
    }),
    async (c) => {
      const values = c.req.valid("json");
      refuseConnectorType(values.type);
      const row = await withSource(c, c.req.valid("param").sourceId, async (tx, place) => {
        const id = requireRow(await queries.createDocument(tx, place, values));
        await queries.indexDocument(tx, id);
        return inWords(requireRow(await queries.readDocument(tx, place, id)), await languageOf(c, tx));
      });
      kickIndexing();
      return c.json(row, 201);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/sources/{sourceId}/documents",
      // Checked explicitly: row-level security denies a deletion silently, and an empty list would look the same.
      permission: "sources.write",
      summary: "Delete a source's documents",
      description: "All documents, or those with an external id or of a type.",
      request: { params: inSource, query: documentsQuery.pick({ externalId: true, type: true }) },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const query = c.req.valid("query");
      await withSource(c, c.req.valid("param").sourceId, async (tx, place) => {
        const count = await queries.deleteDocuments(tx, place, query);
        if (count > 0) await indexSource(tx, place.sourceId);
      });
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents/external/{id}",
      summary: "Read a document by its external id",
      request: { params: inSource.extend({ id: z.string().min(1).max(512) }) },
      responses: { 200: json(documentWithContent) },
    }),
    async (c) => {
      const { id, sourceId } = c.req.valid("param");
      return c.json(
        await withSource(c, sourceId, async (tx, source) =>
          inWords(requireRow(await queries.readByExternalId(tx, source, id)), await languageOf(c, tx)),
        ),
        200,
      );
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents/{id}",
      summary: "Read a document with its content",
      request: { params: oneInSource },
      responses: { 200: json(documentWithContent) },
    }),
    async (c) => {
      const { id, sourceId } = c.req.valid("param");
      return c.json(
        await withSource(c, sourceId, async (tx, source) =>
          inWords(requireRow(await queries.readDocument(tx, source, id)), await languageOf(c, tx)),
        ),
        200,
      );
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/sources/{sourceId}/documents/{id}",
      summary: "Update a document",
      description: "A changed title, content or language is re-indexed automatically.",
      request: { params: oneInSource, body: jsonBody(documentUpdate) },
      responses: { 200: json(documentWithContent) },
    }),
    async (c) => {
      const { id, sourceId } = c.req.valid("param");
      const values = c.req.valid("json");
      refuseConnectorType(values.type);
      const row = await withSource(c, sourceId, async (tx, place) => {
        refuseOtherContent(requireRow(await queries.readDocument(tx, place, id)), values);
        const updated = await queries.updateDocument(tx, place, id, values);
        await requireChange(updated, () => queries.readDocument(tx, place, id));
        const { content, title, language } = values;
        if ([content, title, language].some((value) => value !== undefined))
          await queries.indexDocument(tx, id);
        return inWords(requireRow(await queries.readDocument(tx, place, id)), await languageOf(c, tx));
      });
      kickIndexing();
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/sources/{sourceId}/documents/{id}",
      summary: "Delete a document",
      description: "A file's document is created again at the next load, unless the file is deleted too.",
      request: { params: oneInSource },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id, sourceId } = c.req.valid("param");
      await withSource(c, sourceId, async (tx, place) => {
        const deleted = await queries.deleteDocument(tx, place, id);
        await requireChange(deleted, () => queries.readDocument(tx, place, id));
        await indexSource(tx, place.sourceId);
      });
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{sourceId}/documents/{id}/index",
      summary: "Read the indexing status of a document",
      request: { params: oneInSource },
      responses: { 200: json(documentIndex) },
    }),
    async (c) => {
      const { id, sourceId } = c.req.valid("param");
      const row = await withSource(c, sourceId, async (tx, source) => {
        const language = await languageOf(c, tx);
        const { indexes, ...index } = requireRow(await queries.readIndex(tx, source, id));
        return { ...inWords(index, language), indexes: indexes.map((one) => inWords(one, language)) };
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{sourceId}/documents/{id}/index",
      summary: "Reload and re-index a document",
      description:
        "An uploaded file is read again. An item of a service is fetched again only after it changed there.",
      request: { params: oneInSource },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id, sourceId } = c.req.valid("param");
      const taskId = await withSource(c, sourceId, async (tx, source) => {
        requireRow(await queries.readDocument(tx, source, id));
        return await queries.indexDocument(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  );

/** A connector replaces and deletes the documents that it creates, so no client may create documents of its type. */
function refuseConnectorType(type: string | undefined): void {
  if (type === undefined || !connectorTypes.includes(type)) return;
  const message = `Documents of type “${type}” can only be created by syncing their source.`;
  throw new ApiError("VALIDATION_FAILED", message, { details: [{ path: "type", message }] });
}

function refuseOtherContent(document: Document, { content, externalId, type }: DocumentUpdate): void {
  if (!connectorTypes.includes(document.type)) return;
  if (content === undefined && externalId === undefined && type === undefined) return;
  throw new ApiError("CONFLICT", refusal("readOnlyDocument"));
}
