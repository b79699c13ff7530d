// Addresses of /v1 calls, and that only calls that the API has can be written down.
import { expect, test } from "vitest";
import { type AnswerOf, addressOf, type InputOf, type PathOf } from "../../web/browser/api-calls.ts";

test("fills the names of a path and makes the rest the query", () => {
  expect(addressOf("/v1/teams/{teamId}/agents/{id}", { teamId: "demo", id: "a/b?c" })).toBe(
    "/v1/teams/demo/agents/a%2Fb%3Fc",
  );
  expect(addressOf("/v1/agents", { name: "hand book", page: 2, perPage: undefined, search: "" })).toBe(
    "/v1/agents?name=hand+book&page=2",
  );
  expect(addressOf("/v1/auth/me", undefined)).toBe("/v1/auth/me");
});

test("a part that would lead to another call leads nowhere", () => {
  for (const id of ["", ".", ".."])
    expect(addressOf("/v1/teams/{id}/agents", { id })).toBe("/v1/teams/-/agents");
});

test("the types are the API's: unknown paths, inputs and fields do not compile", () => {
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
