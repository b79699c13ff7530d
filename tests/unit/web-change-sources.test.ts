// Two people who change the sources of one knowledge base at the same time both get what they asked for.
import { expect, test } from "vitest";
import {
  changeSources,
  withoutSource,
  withSource,
} from "#web/pages/teams/@teamId/knowledges/change-sources.ts";
import type { Api } from "#web/request/api.ts";
import { ApiFailure } from "#web/request/api-failure.ts";

const one = { teamId: "team", id: "knowledge" };

/** A knowledge base that somebody else changes as often as asked, each time after it was read. */
function shareKnowledge(changes: string[][]) {
  const stored = { sourceIds: ["first"], version: "0" };
  const change = (sourceIds: string[]) => {
    stored.sourceIds = sourceIds;
    stored.version += "1";
  };
  const get = async () => {
    const read = { ...stored };
    const theirs = changes.shift();
    if (theirs) change(theirs);
    return read;
  };
  const send = async (...[, , , body, version]: unknown[]) => {
    if (version !== stored.version) throw new ApiFailure("", 409, "Conflict", { code: "CHANGED_MEANWHILE" });
    change((body as { sourceIds: string[] }).sourceIds);
  };
  // A stub: the types name every path of the API.
  return { stored, api: { get, send } as unknown as Api };
}

test("adding a source keeps the one that somebody else added meanwhile", async () => {
  const { stored, api } = shareKnowledge([["first", "theirs"]]);
  await changeSources(api, one, withSource("ours"));
  expect(stored.sourceIds).toEqual(["first", "theirs", "ours"]);
});

test("removing a source keeps the others, and adding a known one repeats nothing", async () => {
  const { stored, api } = shareKnowledge([["first", "theirs"]]);
  await changeSources(api, one, withoutSource("first"));
  expect(stored.sourceIds).toEqual(["theirs"]);
  await changeSources(api, one, withSource("theirs"));
  expect(stored.sourceIds).toEqual(["theirs"]);
});

test("a knowledge base that changes all the time is given up on", async () => {
  const { api } = shareKnowledge(Array.from({ length: 9 }, (_, at) => [`theirs-${at}`]));
  await expect(changeSources(api, one, withSource("ours"))).rejects.toMatchObject({
    code: "CHANGED_MEANWHILE",
  });
});
