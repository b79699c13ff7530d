// The public page of an agent: whose chat it shows, and who is sent to the login.
import { beforeAll, expect, test, vi } from "vitest";
import type { DataContext } from "../../web/render/page-definition.ts";

let open: (reader: {
  sentSession: boolean;
  user?: object;
  problem?: object;
  query?: string;
}) => Promise<unknown>;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "a secret of the tests");
  const { data } = await import("../../web/pages/chats/@id/+data.ts");
  const { ApiFailure } = await import("../../web/request/api-failure.ts");
  const get = async (path: string) => {
    if (path === "/v1/agents/{id}") return { id: "a", name: "Handbook" };
    throw new ApiFailure(path, 404, "Not Found", null);
  };
  open = ({ sentSession, user, problem, query = "?chatId=c" }) => {
    const viewer = Promise.resolve({ user: user ?? null, problem, team: null });
    const request = { sentSession, viewer, api: { get }, url: new URL(`http://web.test/chats/a${query}`) };
    return data({ request, routeParams: { id: "a" } } as unknown as DataContext); // what the page reads of it
  };
});

test("a chat whose reader's session has ended is found again after a login", async () => {
  expect(await open({ sentSession: true })).toMatchObject({
    location: "/login?next=%2Fchats%2Fa%3FchatId%3Dc&ended=reading",
  });
});

test.each([
  ["a visitor", { sentSession: false }],
  ["a reader who is logged in", { sentSession: true, user: { id: "u" } }],
  ["a reader while the service does not respond", { sentSession: true, problem: {} }],
  ["a reader without a chat", { sentSession: true, query: "" }],
])("%s gets a new chat", async (_, reader) => {
  expect(await open(reader)).toMatchObject({ chatId: null, agent: { id: "a" } });
});
