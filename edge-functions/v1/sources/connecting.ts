// Owns the endpoints that call a source's service: testing its settings before they are stored, and syncing it.
import type { z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { hitsOfLimit, type Limit, take } from "../../_shared/requests/limits.ts";
import { translateSentence } from "../../_shared/text/problems.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  type ConnectorContext,
  ItemGone,
  SourceRefused,
  SourceUnavailable,
} from "../../indexing/connectors/connector.ts";
import { connectorFor } from "../../indexing/connectors/registry.ts";
import { inTeam, oneInTeam, workInTeam } from "../in-team.ts";
import { languageOf } from "../language.ts";
import { routes } from "../route.ts";
import { accepted, claimsOf, json, jsonBody, requireRow, router } from "../router.ts";
import { changeTasks } from "./changes.ts";
import { readCredentials } from "./credentials.ts";
import * as queries from "./queries.ts";
import { type Source, sourcePreview, sourceTest, syncQuery } from "./schema.ts";
import { movesCredentials, validConfig, validCredentials } from "./types.ts";

const route = routes({ tags: ["Sources"] });

/** A test calls an address that the caller names, so it is limited. */
const tries: Limit = { windowSeconds: 300, perAddress: 600, perSubject: 60 };
const patienceMs = 25_000;

/** Mounted at /v1/teams. */
export const connecting = router()
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/test",
      permission: "sources.write",
      summary: "Test a source's settings and credentials",
      description:
        "Calls the service and returns what would be read. Nothing is stored. If the service refuses, the response is 400 with " +
        "the responsible field; if it does not answer, 502.",
      request: { params: inTeam, body: jsonBody(sourceTest) },
      responses: { 200: json(sourcePreview) },
    }),
    async (c) => {
      const given = c.req.valid("json");
      const { teamId, kept, language } = await workInTeam(c, async (tx, teamId) => {
        const kept = given.id ? requireRow(await queries.readSource(tx, teamId, given.id)) : undefined;
        return { teamId, kept, language: await languageOf(c, tx) };
      });
      await take(hitsOfLimit("sourceTest", tries, [], teamId));
      const settings = await settingsOf(given, kept);
      const lines = await preview(teamId, settings, (work) => asCaller(claimsOf(c), work));
      const data = lines.map(({ kind, name, count, problem }) => ({
        kind,
        name: name ?? null,
        count: count ?? null,
        problem: problem === undefined ? null : translateSentence(problem, language),
      }));
      return c.json({ data }, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{id}/sync",
      permission: "sources.read",
      summary: "Sync a source",
      description:
        "Documents deleted at the source are deleted here too. Unchanged documents are neither read nor embedded again. A service that " +
        "suddenly shows nothing at all fails the sync, and nothing is deleted, unless acceptEmpty is true.",
      request: { params: oneInTeam, query: syncQuery },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const acceptsEmpty = c.req.valid("query").acceptEmpty === "true";
      const taskId = await changeTasks(c, id, (tx) => queries.syncSource(tx, id, acceptsEmpty));
      return c.json({ taskId }, 202);
    },
  );

type Settings = Pick<ConnectorContext["source"], "type" | "config" | "credentials">;

/** The given settings merged over the stored ones. Stored credentials are sent only to the address they were given for. */
async function settingsOf(given: z.infer<typeof sourceTest>, kept: Source | undefined): Promise<Settings> {
  const type = kept?.type ?? given.type;
  if (!type || (kept && given.type && given.type !== kept.type))
    throw new ApiError("VALIDATION_FAILED", undefined, {
      details: [{ path: "type", message: "The source has another type." }],
    });
  const config = given.config
    ? validConfig(type, given.config)
    : (kept?.config ?? validConfig(type, undefined));
  const mayUseKept = kept?.hasCredentials && !movesCredentials(type, kept.config, config);
  const stored = mayUseKept ? await readCredentials(kept) : null;
  return { type, config, credentials: validCredentials(type, given.credentials, stored) };
}

async function preview(teamId: string, settings: Settings, read: ConnectorContext["read"]) {
  const connector = connectorFor(settings.type);
  if (!connector?.preview) return [];
  try {
    return await connector.preview({
      source: { id: "", teamId, ...settings },
      signal: AbortSignal.timeout(patienceMs),
      read,
    });
  } catch (cause) {
    throw toClientError(cause);
  }
}

function toClientError(cause: unknown): unknown {
  if (cause instanceof SourceRefused) {
    const details = [{ path: cause.field ?? "config", message: cause.message }];
    return new ApiError("VALIDATION_FAILED", cause.message, { details, cause });
  }
  if (cause instanceof ItemGone)
    return new ApiError("VALIDATION_FAILED", sentenceOf("nothingToRead"), {
      details: [{ path: "config", message: sentenceOf("nothingToRead") }],
      cause,
    });
  if (cause instanceof SourceUnavailable) return new ApiError("UPSTREAM_FAILED", cause.message, { cause });
  if (cause instanceof DOMException && cause.name === "TimeoutError")
    return new ApiError("UPSTREAM_FAILED", sentenceOf("serviceNoAnswer"), { cause });
  return cause;
}
