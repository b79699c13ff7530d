// The boundary between server and browser: an island's imports, and the Island component's guarantees.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import type { Seed } from "../../web/render/island-root.tsx";

const web = resolve("web");

/** Every file of ours that a file imports at runtime; type imports are left out. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  const code = readFileSync(file, "utf8");
  const imports = code.matchAll(
    /^\s*(?:import|export)\s+(?!type\b)(?:[^"';]*?from\s+)?"((?:\.|#web\/)[^"]+)"/gm,
  );
  const lazy = code.matchAll(/\bimport\("((?:\.|#web\/)[^"]+)"\)/g);
  const pathOf = (name: string) =>
    name.startsWith("#") ? resolve(name.slice(1)) : resolve(dirname(file), name);
  for (const [, name = ""] of [...imports, ...lazy]) reach(pathOf(name), seen);
  return seen;
}

const islands = readdirSync(join(web, "islands")).filter((name) => name.endsWith(".tsx"));
const entries = [...islands.map((name) => join(web, "islands", name)), join(web, "+client.ts")];

test.each(entries.map((entry) => relative(web, entry)))("%s imports nothing of the server", (entry) => {
  const forbidden =
    /^(request|layouts)\/|^pages\/.*\+|^render\/(render-context|island\.tsx|render-page|document)/;
  const reached = [...reach(join(web, entry))].map((file) => relative(web, file));
  expect(reached.filter((file) => forbidden.test(file) || file.startsWith(".."))).toEqual([]);
});

test.each(islands)("%s exports only the component that it is named after", (name) => {
  const code = readFileSync(join(web, "islands", name), "utf8");
  const exported = [...code.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
    ([, word]) => word,
  );
  expect(exported).toEqual([name.replace(".tsx", "")]);
});

let render: (
  name: string,
  props: object,
  seed?: Seed[],
) => { html: string; islands: { id: string; name: string; load: string }[] };

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { Island } = await import("../../web/render/island.tsx");
  const { RenderContextProvider } = await import("../../web/render/render-context.tsx");
  type Context = Parameters<typeof RenderContextProvider>[0]["value"];
  render = (name, props, seed) => {
    const context = { frame: { locale: "en" }, region: "main", islands: [], namespaces: new Set() };
    const value = context as unknown as NonNullable<Context>; // The parts that an island's render reads.
    const islandOf = (key: string) => createElement(Island, { key, name, props, seed });
    const html = renderToString(
      createElement(RenderContextProvider, { value }, [islandOf("a"), islandOf("b")]),
    );
    return { html, islands: value.islands };
  };
});

test("an unknown island name throws", () => {
  expect(() => render("Nonsense", {})).toThrow(/No island is named Nonsense/);
});

test("a seed reaches its island, and is rejected when no island reads it", () => {
  const task = {
    id: "1",
    type: "index",
    status: "running",
    progress: { done: 1, total: 4 },
    message: "Reading",
  };
  const props = { teamId: "1", taskId: "1", address: "/" };
  const seed = [{ key: ["task", "1"], data: task }];
  expect(render("TaskProgress", props, seed).html).toContain("Reading");
  expect(render("TaskProgress", props).html).not.toContain("Reading");
  expect(() => render("CopyText", { text: "x", label: "y" }, seed)).toThrow(/no provider/);
});

test("an island is rendered with its markup, its props as JSON, and an id prefix of its own", () => {
  const agent = { id: "1", name: `"A" <b> & 'c'`, greeting: "Hello", suggestedPrompts: ["One?"] };
  const props = { agent, chatId: null, channel: "web", messages: [], address: null, sourceAddress: null };
  const { html, islands } = render("Chat", props);
  expect(islands.map(({ id, name }) => [id, name])).toEqual([
    ["main-Chat0-", "Chat"],
    ["main-Chat1-", "Chat"],
  ]);
  expect(html).toContain('data-island="Chat" data-id="main-Chat0-"');
  expect(html).toContain("One?");
  const [, json = ""] = /data-props="([^"]*)"/.exec(html) ?? [];
  const decoded = json
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
  expect(JSON.parse(decoded)).toEqual(props);
});
