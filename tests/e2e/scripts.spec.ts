// The JavaScript limit of each page, compressed, from the build's own table.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "./support/test.ts";

const islands = JSON.parse(readFileSync("dist/client/islands.json", "utf8")) as Record<string, string[]>;
const table = JSON.parse(readFileSync("dist/client/scripts.json", "utf8")) as Record<string, number>;
const WITHOUT_ISLANDS = 5_000;
const PUBLIC_CHAT = 104_000;
const ANY = 140_000;

/** The pages with an island. Every other page has none, and does not need React. */
const WITH_ISLANDS = [
  "/",
  "/c/@address",
  "/chats/@id",
  "/onboarding",
  "/teams/@teamId/agents/@agentId/appearance",
  "/teams/@teamId/agents/@agentId/tests/@runId",
  "/teams/@teamId/agents/@id",
  "/teams/@teamId/agents/create",
  "/teams/@teamId/apiKeys",
  "/teams/@teamId/apps/@id",
  "/teams/@teamId/apps/create",
  "/teams/@teamId/chats",
  "/teams/@teamId/chats/review",
  "/teams/@teamId/gaps",
  "/teams/@teamId/gaps/@id",
  "/teams/@teamId/handovers",
  "/teams/@teamId/handovers/settings",
  "/teams/@teamId/insights",
  "/teams/@teamId/knowledges/@id",
  "/teams/@teamId/knowledges/create",
  "/teams/@teamId/playground",
  "/teams/@teamId/playground/knowledge",
  "/teams/@teamId/settings",
  "/teams/@teamId/source/@sourceId/documents/@id",
  "/teams/@teamId/sources/@id",
  "/teams/@teamId/sources/create",
  "/teams/@teamId/tasks",
  "/teams/@teamId/tasks/@id",
  "/teams/@teamId/users",
  "/teams/create",
  "/widget/@id",
];

test("no page exceeds its limit", () => {
  const pages = Object.entries(table);
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter(([, bytes]) => bytes > ANY)).toEqual([]);
  const scripted = pages.flatMap(([page, bytes]) => (bytes > WITHOUT_ISLANDS ? [page] : []));
  expect(scripted.sort(), "WITH_ISLANDS names each page that loads React").toEqual(WITH_ISLANDS);
  for (const page of ["/", "/c/@address", "/chats/@id"])
    expect(table[page], page).toBeLessThanOrEqual(PUBLIC_CHAT);
});

test("a page names the files of all its islands, which the browser loads at once", () => {
  const written = readdirSync("web/islands").map((file) => file.replace(".tsx", ""));
  expect(Object.keys(islands).sort()).toEqual(written.sort());
  expect(Object.values(islands).filter((files) => files.length === 0)).toEqual([]);
});

test("a page is weighed by its own islands", () => {
  // A button of links and a choice: neither needs the chat.
  expect(table["/teams/@teamId/agents/create"]).toBeLessThan(Number(table["/chats/@id"]) - 20_000);
});
