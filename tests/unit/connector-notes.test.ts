// Connectors' notes on partly read content: truncated text, comments and variants beyond the limit.
import { expect, it } from "vitest";
import { attachedNote, itemOf, parseIssue } from "../../edge-functions/indexing/connectors/jira/transform.ts";
import { asContent } from "../../edge-functions/indexing/connectors/markup.ts";
import { readNode } from "../../edge-functions/indexing/connectors/shopify/transform.ts";
import { Frontier } from "../../edge-functions/indexing/connectors/website/frontier.ts";
import { readPage } from "../../edge-functions/indexing/connectors/website/page.ts";
import { say } from "../support/words.ts";

it("text beyond a million characters is truncated, with a note", () => {
  expect(asContent("a".repeat(1_000_000)).note).toBeUndefined();
  const { text, note } = asContent("a".repeat(1_000_001));
  expect(text).toHaveLength(1_000_000);
  expect(note).toBe(say("problems:sentences.itemCut"));
});

it("an issue notes its unread comments and files", () => {
  const issue = (fields: object) => {
    const found = parseIssue({
      id: "1",
      key: "A-1",
      fields: { updated: "2026-01-01", description: null, ...fields },
    });
    if (!found) throw new Error("no issue");
    return found;
  };
  const comment = { id: "1", body: "Fine.", created: "2026-01-01" };
  const of = (total: number) => issue({ comment: { comments: [comment], total } });
  expect(itemOf("https://a.example", of(1), [comment]).note).toBeUndefined();
  expect(itemOf("https://a.example", of(2), [comment]).note).toBe(say("problems:sentences.jiraComments"));
  // Left out on purpose.
  expect(itemOf("https://a.example", of(2), []).note).toBeUndefined();
  expect(itemOf("https://a.example", of(2), [comment, { id: 2 }]).note).toBe(
    say("problems:sentences.jiraCommentsForm"),
  );
  const item = { url: "https://a.example/browse/A-1", title: "A-1" };
  expect(attachedNote(item, issue({ attachment: [] }))).toBeUndefined();
  expect(attachedNote(item, issue({ attachment: [{}, null] }))).toEqual({
    address: item.url,
    title: "A-1",
    problem: say("problems:sentences.jiraAttached", { count: "2" }),
  });
});

it("a product notes its unread variants", () => {
  const product = (hasNextPage: boolean) => ({
    id: "gid://shopify/Product/1",
    title: "Lamp",
    status: "ACTIVE",
    updatedAt: "2026-01-01T00:00:00Z",
    variants: { nodes: [{ title: "S" }, { title: "L" }], pageInfo: { hasNextPage } },
  });
  const read = (hasNextPage: boolean) =>
    readNode("products", product(hasNextPage), { currency: "EUR", storefront: "https://a.example" });
  expect(read(false)).toMatchObject({ kind: "item" });
  expect(read(false)).not.toHaveProperty("item.note");
  expect(read(true)).toMatchObject({ item: { note: say("problems:sentences.shopifyVariants") } });
});

it("a page notes unfollowed links, and a site unread sitemaps", () => {
  const page = (links: number) =>
    readPage(
      Array.from({ length: links }, (_, at) => `<a href="/${at}">x</a>`).join(""),
      new URL("https://a.example/"),
    );
  expect(page(1999).note).toBeUndefined();
  expect(page(2500).note).toBe(say("problems:sentences.websiteLinks"));
  const frontier = new Frontier({
    startUrl: "https://a.example/",
    sitemapUrl: undefined,
    include: [],
    exclude: [],
    maxDepth: 5,
    maxPages: 500,
    respectRobots: true,
  });
  for (let at = 0; at < 201; at++) frontier.addSitemap(`https://a.example/${at}.xml`);
  frontier.addSitemap("https://other.example/map.xml");
  expect(frontier.takeNotes().map(({ problem }) => problem)).toEqual([
    say("problems:sentences.websiteSitemaps", { count: "200" }),
    say("problems:sentences.websiteElsewhere", { host: "other.example" }),
  ]);
});
