// Converting Notion's answers to text: without a failure for any input, and without a loss in people's text.

import { describe, expect, it } from "vitest";
import { configSchema } from "../../edge-functions/indexing/connectors/declaration.ts";
import { block, page } from "../../edge-functions/indexing/connectors/notion/answers.ts";
import { type BlockNode, markdownOfBlocks } from "../../edge-functions/indexing/connectors/notion/blocks.ts";
import { declaration } from "../../edge-functions/indexing/connectors/notion/declaration.ts";
import { fileItem, filesOf } from "../../edge-functions/indexing/connectors/notion/files.ts";
import { richOf, titleIn, wordsOf } from "../../edge-functions/indexing/connectors/notion/rich-text.ts";
import {
  damagedItem,
  databaseItem,
  pageContent,
  pageItem,
  partsOfId,
} from "../../edge-functions/indexing/connectors/notion/transform.ts";
import fc from "../support/property-cases.ts";

const id = "59833787-2cf9-4fdf-8782-e53db20768a5";
const rich = (plain_text: string, more = {}) => ({
  type: "text",
  plain_text,
  annotations: {},
  href: null,
  ...more,
});
const node = (type: string, said: object, children: BlockNode[] = []): BlockNode => ({
  block: block.parse({ id: "1", type, has_children: children.length > 0, [type]: said }),
  children,
});
const text = (type: string, words: string, more = {}, children: BlockNode[] = []) =>
  node(type, { rich_text: [rich(words)], ...more }, children);

describe("settings", () => {
  it("are valid when empty: the pages are chosen in Notion", () => {
    expect(configSchema(declaration).parse({})).toEqual({
      content: ["pages", "databases", "attachments"],
      withPictures: false,
      withComments: false,
      apiUrl: "https://api.notion.com",
    });
  });
});

describe("blocks", () => {
  it("keep lists, code, tables, quotes and toggles", () => {
    const cells = (...words: string[]) => node("table_row", { cells: words.map((one) => [rich(one)]) });
    const markdown = markdownOfBlocks([
      text("heading_1", "Guide"),
      text("bulleted_list_item", "one", {}, [text("bulleted_list_item", "deeper")]),
      text("bulleted_list_item", "two"),
      text("numbered_list_item", "first"),
      text("numbered_list_item", "second"),
      text("to_do", "done", { checked: true }),
      text("code", "a ``` b", { language: "typescript", caption: [] }),
      node("table", { table_width: 2 }, [cells("Name", "Price"), cells("A | B", "1\n2")]),
      text("callout", "Mind", {}, [text("paragraph", "the gap")]),
      node("column_list", {}, [node("column", {}, [text("paragraph", "left")])]),
      node("equation", { expression: "e=mc^2" }),
      node("divider", {}),
      node("child_page", { title: "Below" }),
      node("file", { name: "a.pdf", caption: [], type: "file", file: { url: "https://s3.example/signed" } }),
      node("bookmark", { url: "https://a.example", caption: [rich("A")] }),
      node("unsupported", {}),
      text("something_new", "Words"),
    ]);
    expect(markdown).toBe(
      [
        "# Guide",
        "- one\n  - deeper\n- two\n1. first\n2. second\n- [x] done",
        "````typescript\na ``` b\n````",
        "| Name | Price |\n| --- | --- |\n| A \\| B | 1 2 |",
        "> Mind\n> \n> the gap",
        "left",
        "e=mc^2",
        "---",
        "Below",
        "a.pdf",
        "A (https://a.example)",
        "Words",
      ].join("\n\n"),
    );
  });

  it("name no columns after the first row of a table that has no header", () => {
    const row = (...words: string[]) => node("table_row", { cells: words.map((one) => [rich(one)]) });
    const table = (has_column_header: boolean) =>
      markdownOfBlocks([node("table", { has_column_header }, [row("Berlin", "12"), row("Paris", "34")])]);
    expect(table(false)).toBe("|  |  |\n| --- | --- |\n| Berlin | 12 |\n| Paris | 34 |");
    const named = [row("City", "Days"), row("Paris", "34")];
    expect(markdownOfBlocks([node("table", { has_column_header: false }, named)])).toMatch(
      /^\| City \| Days/,
    );
    expect(table(true)).toBe("| Berlin | 12 |\n| --- | --- |\n| Paris | 34 |");
  });
  it("are converted, whatever they contain", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (type, said) => {
        const parsed = block.parse({ id: "1", type: type || "x", [type || "x"]: said });
        return typeof markdownOfBlocks([{ block: parsed, children: [] }]) === "string";
      }),
    );
  });
});

describe("properties", () => {
  it.each([
    [{ type: "number", number: 0 }, "0"],
    [{ type: "checkbox", checkbox: false }, "no"],
    [{ type: "select", select: null }, ""],
    [{ type: "status", status: { name: "Done" } }, "Done"],
    [{ type: "multi_select", multi_select: [{ name: "a" }, { name: "b" }] }, "a, b"],
    [{ type: "date", date: { start: "2026-01-01", end: "2026-01-03" } }, "2026-01-01 – 2026-01-03"],
    [{ type: "people", people: [{ object: "user", id: "1" }, { name: "Ada" }] }, "Ada"],
    [{ type: "unique_id", unique_id: { prefix: "OPS", number: 7 } }, "OPS-7"],
    [{ type: "formula", formula: { type: "boolean", boolean: true } }, "yes"],
    [{ type: "formula", formula: { type: "date", date: { start: "2026-01-01", end: null } } }, "2026-01-01"],
    [{ type: "rollup", rollup: { type: "number", number: 3, function: "sum" } }, "3"],
    [{ type: "rollup", rollup: { type: "array", array: [{ type: "title", title: [rich("A")] }] } }, "A"],
    [{ type: "relation", relation: [{ id }] }, ""],
  ])("%j is %s", (property, words) => {
    expect(wordsOf(property)).toBe(words);
  });
  it.each([
    [0.07, "percent", "7%"],
    [12.345, "percent", "1234.5%"],
    [1234.5, "euro", "€1,234.5"],
    [-3, "dollar", "-$3"],
    [12, "franc", "CHF 12"],
    [1234.5, "number_with_commas", "1234.5"],
    [5, "constructor", "5"],
    [5, { odd: true }, "5"],
  ])("the number %j shown as %j is %s", (number, format, words) => {
    expect(wordsOf({ type: "number", number }, { type: "number", number: { format } })).toBe(words);
  });
  it("are converted, whatever they contain", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => typeof wordsOf(value) === "string" && richOf(value) !== null),
    );
    fc.assert(
      fc.property(
        fc.constantFrom("formula", "rollup", "title", "people", "date"),
        fc.jsonValue(),
        (type, value) => typeof wordsOf({ type, [type]: value }) === "string",
      ),
    );
  });
});

describe("files", () => {
  const found = page.parse({ object: "page", id, last_edited_time: "2026-03-01T10:00:00.000Z" });
  const one = (said: object, type = "file") =>
    filesOf(found, [{ block: block.parse({ id, type, [type]: said }), children: [] }])[0];
  const hostedFile = (query: string) => ({ file: { url: `https://s3.example/1/a%20b.pdf?${query}` } });

  it("are the same file while Notion stores them at the same path, whatever the signature", () => {
    expect(one(hostedFile("X=1"))?.revision).toBe(one(hostedFile("X=2"))?.revision);
    const external = (query: string) => ({ external: { url: `https://a.example/b.pdf?${query}` } });
    expect(one(external("v=1"))?.revision).not.toBe(one(external("v=2"))?.revision);
    expect(one(hostedFile(""))?.name).toBe("a b.pdf");
    expect(one({ external: { url: "https://a.example/x" } }, "pdf")?.name).toBe("x.pdf");
    expect(one({ external: { url: "https://a.example/x" } }, "image")?.isPicture).toBe(true);
    expect(one({ external: { url: "javascript:alert(1)" } })?.url).toBeUndefined();
  });
  it("are converted, whatever they contain", () => {
    fc.assert(
      fc.property(fc.constantFrom("file", "pdf", "image"), fc.jsonValue(), (type, said) => {
        const properties = { Papers: { type: "files", files: said }, Odd: said };
        const files = filesOf({ ...found, properties }, [
          { block: block.parse({ id, type, [type]: said }), children: [] },
        ]);
        return files.every((file) => fileItem(id, file, true) !== null);
      }),
    );
  });
});

describe("pages and databases", () => {
  const raw = {
    object: "page",
    id,
    last_edited_time: "2026-03-01T10:00:00.000Z",
    in_trash: false,
    url: "https://www.notion.so/x",
    parent: { type: "workspace", workspace: true },
    properties: {
      Tags: { type: "multi_select", multi_select: [{ name: "hr" }] },
      Title: { type: "title", title: [rich("Time\noff", { href: "https://a.example" })] },
    },
  };
  it("have a title whatever the property's name, and a placeholder without one", () => {
    expect(titleIn(raw.properties)).toBe("Time off");
    expect(pageItem(page.parse(raw))).toMatchObject({ externalId: `pages/${id}`, title: "Time off" });
    expect(pageItem(page.parse({ ...raw, properties: {} })).title).toBe("Untitled");
    expect(pageContent(page.parse(raw), { nodes: [], gaps: new Set(["unsupported", "cut"]) })).toEqual({
      text: "# Time off\n\nTags: hr\nChanged: 2026-03-01\n\nThis page goes on in Notion. The rest has not been read.",
      note: expect.stringContaining("too long to be read"),
    });
    expect(pageContent(page.parse(raw), { nodes: [], gaps: new Set() })).not.toHaveProperty("note");
  });
  it("that are damaged are identified by id, and nothing else is", () => {
    expect(damagedItem({ object: "page", id })).toMatchObject({ externalId: `pages/${id}` });
    for (const odd of [
      null,
      1,
      {},
      { object: "page" },
      { object: "page", id: "../x" },
      { object: "user", id },
    ])
      expect(damagedItem(odd)).toBeUndefined();
    const kinds = [`pages/${id}`, `attachments/${id}/${id}`].map((one) => partsOfId(one)?.kind);
    expect(kinds).toEqual(["pages", "attachments"]);
    const odd = [
      "pages/../x",
      `users/${id}`,
      id,
      `attachments/${id}`,
      `pages/${id}/${id}`,
      `attachments/${id}/../x`,
    ];
    expect(odd.map(partsOfId)).toEqual(odd.map(() => undefined));
  });
  it("omit empty columns and trashed rows, and say where they are truncated", () => {
    const source = {
      object: "data_source" as const,
      id,
      last_edited_time: raw.last_edited_time,
      title: [rich("Team")],
      properties: { Tags: {}, Empty: {}, Title: { type: "title" } },
    };
    const item = databaseItem(source, [raw, { ...raw, in_trash: true }, 7], true);
    expect(item.text).toBe(
      "# Team\n\n| Title | Tags |\n| --- | --- |\n| Time off | hr |\n\nThis database goes on in Notion. The other rows have not been read.",
    );
    expect(item.note).toContain("too many rows to be read");
    expect(databaseItem(source, [raw, 7], false).note).toContain("could not be read");
    expect(databaseItem(source, [], false)).toMatchObject({ text: expect.stringContaining("no rows") });
    expect(databaseItem(source, [raw], false)).not.toHaveProperty("note");
  });
});
