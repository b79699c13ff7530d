// Owns the MCP tools: a team's agents and knowledge bases for other programs. Each tool acts as the caller and returns a refusal
// as its result, in words that a model can pass on.
// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { asCaller } from "../../_shared/database/db.ts";
import { readModelsOfTeams } from "../../_shared/models/team-models.ts";
import type { Caller } from "../../_shared/requests/auth.ts";
import { type ClientAddress, take } from "../../_shared/requests/limits.ts";
import { currentRequestId } from "../../_shared/requests/request-context.ts";
import { searchHits } from "../../_shared/requests/usage-limits.ts";
import { readSpaces } from "../../answering/agent.ts";
import { retrieve } from "../../answering/retrieve.ts";
import { version } from "../health/schema.ts";
import { logFailure, toApiError } from "../problems.ts";
import { requireRow } from "../router.ts";
import { liveReply, readerLeft } from "../streams/live.ts";
import { beginAnswer } from "../streams/queries.ts";
import type { StreamedMessage } from "../streams/schema.ts";
import * as queries from "./queries.ts";

const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
const instructions =
  "Parley holds a team's knowledge and the agents that answer from it. Search the knowledge for passages, or ask an agent " +
  "for an answer with its sources. Quote the titles of the documents that an answer rests on.";

/** Characters of a document that a model can read at once. */
const partLength = 20_000;

/**
 * A server for one request. Nothing is kept between requests.
 * @param left aborted when the client leaves before its answer
 */
export function serverFor(caller: Caller, addresses: ClientAddress[], left: AbortSignal): McpServer {
  const { claims } = caller;
  const server = new McpServer({ name: "parley", title: "Parley", version }, { instructions });

  server.registerTool(
    "list_agents",
    {
      title: "List agents",
      description: "The team's agents that can be asked, with their ids.",
      annotations: readOnly,
    },
    () => toToolResult(async () => ({ agents: await asCaller(claims, queries.listAgents) })),
  );

  server.registerTool(
    "list_knowledges",
    {
      title: "List knowledges",
      description: "The team's knowledge bases that can be searched, with their ids.",
      annotations: readOnly,
    },
    () => toToolResult(async () => ({ knowledges: await asCaller(claims, queries.listKnowledges) })),
  );

  server.registerTool(
    "search_knowledge",
    {
      title: "Search knowledge",
      description: "Finds the passages in the team's documents that fit a question best, best first.",
      inputSchema: {
        query: z.string().trim().min(1).max(4000).describe("What to search for, in plain words."),
        knowledgeId: z.uuid().optional().describe("The knowledge base to search. Absent: all of them."),
        count: z.int().min(1).max(50).default(8).describe("Maximum number of passages."),
      },
      annotations: readOnly,
    },
    (asked) => toToolResult(async () => ({ passages: await searchPassages(caller, asked) })),
  );

  server.registerTool(
    "read_document",
    {
      title: "Read a document",
      description: `A document's text, ${partLength} characters at a time, as when a passage is not enough.`,
      inputSchema: {
        documentId: z.uuid().describe("The documentId of a passage."),
        from: z.int().min(0).default(0).describe("The first character to read."),
      },
      annotations: readOnly,
    },
    ({ documentId, from }) =>
      toToolResult(async () => {
        const part = await asCaller(claims, (tx) => queries.readPart(tx, documentId, from, partLength));
        return { ...requireRow(part), from };
      }),
  );

  server.registerTool(
    "ask_agent",
    {
      title: "Ask an agent",
      description: "Asks one of the team's agents. Returns its answer with the passages that it cites.",
      inputSchema: {
        agentId: z.uuid().describe("An agent's id from list_agents."),
        question: z.string().trim().min(1).max(20_000),
        history: z
          .array(z.object({ role: z.enum(["user", "assistant"]), content: z.string().max(20_000) }))
          .max(50)
          .optional()
          .describe("Earlier messages, oldest first."),
      },
      annotations: readOnly,
    },
    ({ agentId, question, history = [] }) =>
      toToolResult(
        () => askAgent(caller, addresses, agentId, [...history, { role: "user", content: question }], left),
        answerText,
      ),
  );
  return server;
}

/** Passages in the knowledge bases that the caller may search, best first; in one of them when it is named. */
async function searchPassages(
  caller: Caller,
  { query, knowledgeId, count }: { query: string; knowledgeId?: string | undefined; count: number },
) {
  const { claims } = caller;
  const { searched, ids, spaces } = await asCaller(claims, async (tx) => {
    const searched = await queries.listSearched(tx, knowledgeId);
    const ids = searched.map(({ id }) => id);
    return { searched, ids, spaces: await readSpaces(tx, ids) };
  });
  const teamIds = [...new Set(searched.map(({ teamId }) => teamId))];
  await take(searchHits(caller, teamIds));
  const models = await readModelsOfTeams(teamIds, "mcp");
  if (!models) return [];
  const options = { knowledgeIds: ids, spaces, question: query, results: count, mode: "hybrid" } as const;
  const hits = await retrieve(claims, models, options);
  return hits.map(({ documentId, title, url, heading, page, content, score }) => ({
    documentId,
    title,
    url,
    heading,
    page,
    content,
    score,
  }));
}

/** An agent's whole answer to the last message. @throws ApiError */
async function askAgent(
  caller: Caller,
  addresses: ClientAddress[],
  agentId: string,
  messages: { role: "user" | "assistant"; content: string }[],
  left: AbortSignal,
) {
  const { agent } = await beginAnswer(caller, addresses, agentId);
  for await (const { type, data } of liveReply(agent, messages, "mcp", caller.claims, { left })) {
    if (type === "error") throw data;
    if (type === "done") {
      const { content, citations, searchedFor, support, suggestions } = data;
      return { answer: content, citations, searchedFor, support, suggestions };
    }
  }
  throw readerLeft();
}

/** A tool's result, as structured data and as text for clients that read only text. */
async function toToolResult<T extends Record<string, unknown>>(
  work: () => Promise<T>,
  textOf = (made: T) => JSON.stringify(made, null, 2),
): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    return { structuredContent, content: [{ type: "text", text: textOf(structuredContent) }] };
  } catch (error) {
    const problem = toApiError(error);
    // The package would tell the caller the words of an error that is thrown, and nobody else.
    logFailure(problem, error, { requestId: currentRequestId() ?? "", method: "POST", route: "/v1/mcp" });
    return { isError: true, content: [{ type: "text", text: `${problem.code}: ${problem.message}` }] };
  }
}

const supportNotes: Partial<Record<string, string>> = {
  partly: "The sources give only a partial answer.",
  notFound: "The documents do not answer this question.",
  disagree: "The sources disagree:",
};

type Answer = Pick<StreamedMessage, "citations" | "searchedFor" | "support"> & { answer: string };

function answerText({ answer, citations, searchedFor, support }: Answer): string {
  const note = supportNotes[support?.state ?? ""];
  const quotes = (support?.disagreement ?? []).map(
    ({ citation, quote, date }) => `[${citation}] “${quote}”${date ? ` (last changed on ${date})` : ""}`,
  );
  const sources = citations.map(({ index, title, url }) => `[${index}] ${title}${url ? ` ${url}` : ""}`);
  const under = [
    ...(note ? [note, ...quotes] : []),
    ...sources,
    ...(searchedFor ? [`Searched for: ${searchedFor}`] : []),
  ];
  return under.length > 0 ? `${answer}\n\n${under.join("\n")}` : answer;
}
