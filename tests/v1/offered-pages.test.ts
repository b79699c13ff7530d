// Links follow permissions: following every link of the app from the dashboard meets no refusal.
import { beforeAll, expect, test } from "vitest";
import { newMember, newTeam, type Person, type Team } from "../support/api.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let team: Team;
let webUrl: string;
beforeAll(async () => {
  team = await newTeam("Offers");
  ({ webUrl } = await findStack());
  const agent = (await team.owner.post(`${team.path}/agents`, { name: "Agent" })).body;
  await team.owner.post(`${team.path}/knowledges`, { name: "Knowledge" });
  await team.owner.post(`/v1/agents/${agent.id}/chats`, { title: "Chat" });
});

async function roleWith(permissions: string[]): Promise<string> {
  const name = `Role ${permissions.length}`;
  const { body } = await team.owner.post("/v1/roles", { teamId: team.id, name, permissions });
  return body.id;
}

/** Every linked page by path, with its status; and the palette's entries. */
async function followLinks(person: Person): Promise<Map<string, number>> {
  const cookie = cookieOf(await postLogin(person));
  const read = async (path: string) =>
    await fetch(webUrl + path, { headers: { cookie }, redirect: "manual" });
  const palette = (await (await read(`/palette.json?path=/teams/${team.codename}/chats`)).json()) as {
    items: { href?: string }[];
  };
  const waiting = ["/dashboard", ...palette.items.flatMap(({ href }) => href ?? [])];
  const seen = new Map<string, number>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    const answer = await read(path);
    seen.set(path, answer.status);
    if (!answer.headers.get("content-type")?.includes("html")) continue;
    for (const [, href = ""] of (await answer.text()).matchAll(/<a\b[^>]*? href="(\/[^"#]*)"/g)) {
      const link = href.replaceAll("&amp;", "&");
      // The team's pages and its chats; each list once, in one order.
      if (/^\/(dashboard|onboarding|teams\/|chats\/)/.test(link) && !link.includes("?sort"))
        waiting.push(link);
    }
  }
  return seen;
}

const listRefused = (pages: Map<string, number>) => [...pages].filter(([, status]) => status >= 400);

test.each([
  ["owner", 25],
  ["viewer", 12],
] as const)("every link works for the %s", async (role, atLeast) => {
  const person = role === "owner" ? team.owner : await newMember(team, role);
  const pages = await followLinks(person);
  expect(listRefused(pages)).toEqual([]);
  expect(pages.size).toBeGreaterThanOrEqual(atLeast);
  const at = `/teams/${team.codename}`;
  for (const path of [`${at}/agents/create`, `${at}/apiKeys`, `${at}/apps`, `${at}/insights`])
    expect(pages.has(path), path).toBe(role === "owner");
});

test("every link works for a custom role with hardly any permission", async () => {
  const bare = await newMember(team, await roleWith(["team.read"]));
  const pages = await followLinks(bare);
  expect(listRefused(pages)).toEqual([]);
  expect([...pages.keys()].filter((path) => /agents|knowledges|sources|files|users/.test(path))).toEqual([]);
  // An unlinked page is not accessible either.
  const cookie = cookieOf(await postLogin(bare));
  const answer = await fetch(`${webUrl}/teams/${team.codename}/agents`, { headers: { cookie } });
  expect(answer.status).toBe(403);
});
