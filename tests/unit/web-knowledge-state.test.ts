// A knowledge base's page reads a bounded part of its documents, however many sources it has: the list is read every second.
import { expect, test } from "vitest";
import type { Get } from "#web/client/api-calls.ts";
import { readKnowledgeState } from "#web/pages/teams/@teamId/knowledges/knowledge-state.ts";

/** Answers for a knowledge base of so many sources, each with one more document than is read. */
function knowledgeOf(sources: number) {
  const asked: number[] = [];
  const answers: Record<string, (input: Record<string, unknown>) => unknown> = {
    "/v1/teams/{teamId}/knowledges/{id}": () => ({
      status: "ready",
      documentsCount: 9,
      chunksCount: 9,
      sourceIds: Array.from({ length: sources }, (_, at) => `source-${at}`),
    }),
    "/v1/teams/{teamId}/tasks": () => ({ data: [], lastKey: null }),
    "/v1/teams/{teamId}/sources/{sourceId}/documents": ({ perPage }) => {
      asked.push(Number(perPage));
      return { data: Array.from({ length: Number(perPage) }, () => ({})), lastKey: sources > 1 ? null : "k" };
    },
  };
  const answer = async (path: string, input: Record<string, unknown>) => answers[path]?.(input);
  // A stub: the type names every path of the API.
  const get = answer as unknown as Get;
  return { asked, read: () => readKnowledgeState(get, "team", "knowledge", "UTC") };
}

test.each([
  { sources: 0, calls: 0, perPage: 100, more: false },
  { sources: 1, calls: 1, perPage: 100, more: true },
  { sources: 5, calls: 5, perPage: 100, more: false },
  { sources: 20, calls: 20, perPage: 25, more: false },
  { sources: 100, calls: 25, perPage: 20, more: true },
])(
  "a knowledge base of $sources sources is read in $calls calls",
  async ({ sources, calls, perPage, more }) => {
    const { asked, read } = knowledgeOf(sources);
    const state = await read();
    expect(asked).toEqual(Array.from({ length: calls }, () => perPage));
    expect(state.documents).toHaveLength(calls * perPage);
    expect(state.more).toBe(more);
    expect(state.sourceIds).toHaveLength(sources);
  },
);
