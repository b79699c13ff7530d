// Building /v1 paths; types admit only calls that the API has.
import { expect, test } from "vitest";
import { type AnswerOf, addressOf, type InputOf, type PathOf } from "../../web/client/api-calls.ts";

test("a call fills a path's parameters and puts the rest into the query", () => {
  expect(addressOf("/v1/teams/{teamId}/agents/{id}", { teamId: "demo", id: "a/b?c" })).toBe(
    "/v1/teams/demo/agents/a%2Fb%3Fc",
  );
  expect(addressOf("/v1/agents", { name: "hand book", page: 2, perPage: undefined, search: "" })).toBe(
    "/v1/agents?name=hand+book&page=2",
  );
  expect(addressOf("/v1/auth/me", undefined)).toBe("/v1/auth/me");
});

test("a parameter that would change the path is rejected", () => {
  for (const id of ["", ".", ".."])
    expect(addressOf("/v1/teams/{id}/agents", { id })).toBe("/v1/teams/-/agents");
});

test("unknown paths, inputs and fields do not compile", () => {
  const path: PathOf<"GET"> = "/v1/teams/{teamId}/agents";
  // @ts-expect-error No such call.
  const unknownPath: PathOf<"GET"> = "/v1/teams/{teamId}/agent";
  const input: InputOf<"GET", "/v1/teams/{teamId}/agents"> = { teamId: "demo", page: 1 };
  // @ts-expect-error The team is missing.
  const lacking: InputOf<"GET", "/v1/teams/{teamId}/agents"> = { page: 1 };
  const nothing: AnswerOf<"DELETE", "/v1/teams/{teamId}/agents/{id}"> = undefined;
  const total: AnswerOf<"GET", "/v1/teams/{teamId}/agents">["total"] = 1;
  // @ts-expect-error A total is a number.
  const words: AnswerOf<"GET", "/v1/teams/{teamId}/agents">["total"] = "1";
  expect([path, unknownPath, input, lacking, nothing, total, words]).toHaveLength(7);
});
