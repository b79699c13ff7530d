// Converting GitHub's answers to text: without a failure for any input, and without a loss in people's text; which items are read.

import { describe, expect, it } from "vitest";
import { configSchema } from "../../edge-functions/indexing/connectors/declaration.ts";
import { findAttachments } from "../../edge-functions/indexing/connectors/github/attachments.ts";
import { placesOf } from "../../edge-functions/indexing/connectors/github/calls.ts";
import { declaration } from "../../edge-functions/indexing/connectors/github/declaration.ts";
import { markdownOfRst } from "../../edge-functions/indexing/connectors/github/rst.ts";
import {
  changesOf,
  damagedItem,
  fileContent,
  fileOf,
  isDocument,
  mayHold,
  parseThread,
  partsOfId,
  threadItem,
} from "../../edge-functions/indexing/connectors/github/transform.ts";
import fc from "../support/property-cases.ts";

const all = { folders: [], withPictures: false };
const place = { repository: "acme/handbook", branch: "release/2", url: "https://github.com/acme/handbook" };

const textIn = (...[path, raw, changedAt]: Parameters<typeof fileContent>) =>
  fileContent(path, raw, changedAt).text;

describe("settings", () => {
  it("name repositories in people's notations, at least one, and no disguised path", () => {
    const parse = (repositories: unknown) => configSchema(declaration).safeParse({ repositories });
    expect(parse(["https://github.com/acme/handbook/", "acme/.github", "acme/site.git"]).data).toMatchObject({
      repositories: ["acme/handbook", "acme/.github", "acme/site"],
      content: ["files", "issues"],
      apiUrl: "https://api.github.com",
    });
    for (const wrong of [undefined, [], ["handbook"], ["acme/.."], ["acme/a/b"], ["acme/a?b"]])
      expect(parse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
  it("lead to the API's URLs, on GitHub's clouds and on a server", () => {
    expect(placesOf("https://api.github.com").graph).toBe("https://api.github.com/graphql");
    expect(placesOf("https://api.acme.ghe.com").rest).toBe("https://api.acme.ghe.com/");
    expect(placesOf("https://git.acme.com")).toEqual({
      rest: "https://git.acme.com/api/v3/",
      graph: "https://git.acme.com/api/graphql",
    });
  });
});

describe("files", () => {
  it("are documents by extension, below the named folders", () => {
    const isRead = (path: string, folders: string[] = [], withPictures = false) =>
      isDocument(path, { folders, withPictures });
    expect(["a.md", "b/c.RST", "d.txt", "e.mdx", "f.PDF", "g.xlsx"].every((path) => isRead(path))).toBe(true);
    expect(["a.ts", "md", "a.md.png", "pdf", "a.json", "a.doc"].some((path) => isRead(path))).toBe(false);
    expect(isRead("a.md.png", [], true)).toBe(true);
    expect(isRead("docs/a.md", ["/docs/"])).toBe(true);
    expect(isRead("other/docs/a.md", ["/docs/"])).toBe(false);
    expect(isRead("pkg/x/docs/a.md", ["/pkg/*/docs/"])).toBe(true);
    expect([
      mayHold("pkg", ["/pkg/*/docs/"]),
      mayHold("docs/a", ["/docs/"]),
      mayHold("src", ["/docs/"]),
    ]).toEqual([true, true, false]);
  });

  it("have URLs that survive odd names; links, submodules and dumps are skipped", () => {
    const entry = { path: "docs/a b#c.md", mode: "100644", type: "blob", sha: "1", size: 3 };
    expect(fileOf(entry, place, all).item).toMatchObject({
      externalId: "acme/handbook/files/docs/a b#c.md",
      title: "handbook/docs/a b#c.md",
      url: "https://github.com/acme/handbook/blob/release/2/docs/a%20b%23c.md",
    });
    expect(fileOf({ ...entry, mode: "120000" }, place, all)).toEqual({});
    expect(fileOf({ ...entry, mode: "160000", type: "commit" }, place, all)).toEqual({});
    const noteOf = (more: object) => fileOf({ ...entry, ...more }, place, all).note;
    expect(noteOf({ size: 9_000_000 })?.problem).toContain("longer than the 5 MB");
    expect(noteOf({ path: "a.pdf", size: 9_000_000 })).toBeUndefined();
    expect(noteOf({ path: "a.pdf", size: 30_000_000 })?.problem).toContain("larger");
    expect(noteOf({ path: "a.doc" })?.problem).toContain("kind are not read");
    expect(noteOf({ path: `${"x".repeat(600)}.md` })?.address.length).toBe(500);
    expect(partsOfId("acme/handbook/files/docs/a b#c.md")).toEqual({
      repository: "acme/handbook",
      kind: "files",
      name: "docs/a b#c.md",
    });
    expect(["", "a/b", "a/b/pulls/1", "a/b/issues/"].map(partsOfId)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("state their front matter as text, and have their date of change", () => {
    const raw = "---\r\ntitle: 'Leave'\r\nowner: Ann\r\n---\r\nText.";
    expect(textIn("a.md", raw, "2026-03-01T00:00:00Z")).toBe(
      "Changed: 2026-03-01\n\n# Leave\n\nowner: Ann\n\nText.",
    );
    expect(textIn("a.md", "---\nno end", undefined)).toBe("---\nno end");
    expect(textIn("a.md", "---\ntitle: A\n---\n# B", undefined)).toBe("# B");
  });

  it("of a comparison are complete, or the tree is read", () => {
    const files = [
      { filename: "a.md", status: "modified", sha: "1" },
      { filename: "c.md", status: "renamed", sha: "2", previous_filename: "b.md" },
      { filename: "d.ts", status: "renamed", sha: "3", previous_filename: "d.md" },
      { filename: "e.md", status: "removed", sha: "4" },
      { filename: "f.doc", status: "added", sha: "5" },
      { filename: "g.xls", status: "removed", sha: "6" },
    ];
    const changes = changesOf({ status: "ahead", files }, place, all);
    expect(changes?.items.map(({ externalId }) => externalId)).toEqual(
      ["a.md", "c.md"].map((path) => `acme/handbook/files/${path}`),
    );
    expect(changes?.gone).toEqual(["b.md", "d.md", "e.md"].map((path) => `acme/handbook/files/${path}`));
    expect(changes?.notes).toMatchObject([
      { address: `${place.url}/blob/release/2/f.doc`, problem: expect.stringContaining("kind") },
      { address: `${place.url}/blob/release/2/g.xls` },
    ]);
    expect(changes?.notes[1]).not.toHaveProperty("problem");
    expect(changesOf({ status: "diverged", files }, place, all)).toBeUndefined();
    expect(changesOf({ status: "ahead", files: Array(300).fill(files[0]) }, place, all)).toBeUndefined();
  });
});

describe("reStructuredText", () => {
  it("keeps headings, code and links as Markdown has them", () => {
    const source = [
      "=====",
      "Guide",
      "=====",
      "",
      "Setup",
      "-----",
      "",
      "See `the site <https://a.example>`_, :ref:`start <x>` and ``go``.",
      "",
      ".. code-block:: sh",
      "   :linenos:",
      "",
      "   go --fast",
      "",
      "     deeper",
      "",
      ".. note:: Mind the gap.",
      "",
      ".. a comment",
      "",
      "Then::",
      "",
      "    literal ```",
      "",
      "End.",
    ].join("\n");
    expect(markdownOfRst(source).replace(/\n{2,}/g, "\n")).toBe(
      "# Guide\n## Setup\nSee the site (https://a.example), start and `go`.\n```\ngo --fast\n  deeper\n```\nMind the gap.\nThen:\n````\nliteral ```\n````\nEnd.",
    );
  });
  it("is converted whatever it contains, and takes little time with hostile lines", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof markdownOfRst(text) === "string"));
    for (const line of ["`", "``a", ":a:`", "`a <", "=\n", " ", "x\n :: \n", "  y\n"])
      expect(markdownOfRst(`::\n\n  x\n\`a${line.repeat(200_000)}`)).toContain("x");
  });
});

describe("threads", () => {
  const raw = {
    id: "I_1",
    number: 12,
    title: "It\nbreaks",
    body: "Steps:\n\n```\nx\n```",
    url: "https://github.com/acme/handbook/issues/12",
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-02-01T00:00:00Z",
    state: "OPEN",
    author: null,
    labels: { nodes: [{ name: "bug" }, null] },
    comments: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
  };
  it("have speakers and dates, and name unreadable comments; ghosts and hidden comments do no harm", () => {
    const found = parseThread(raw);
    if (!found) throw new Error("not parsed");
    const comments = [
      {
        said: { author: { login: "eve" }, body: "Same.", createdAt: "2026-01-02T00:00:00Z" },
        replies: [{ body: "Here too." }, null],
      },
      { said: { body: "Spam", isMinimized: true }, replies: [] },
      { said: 7, replies: [] },
    ];
    const item = threadItem("acme/handbook", "issues", found, comments);
    expect(item.title).toBe("handbook#12 It breaks");
    expect(item.text).toBe(
      "# handbook#12 It\nbreaks\n\nRepository: acme/handbook\nState: open\nLabels: bug\nCreated: 2026-01-01\nChanged: 2026-02-01\n\nSteps:\n\n```\nx\n```\n\n## Comments\n\neve, 2026-01-02:\n\nSame.\n\nHere too.\n\n(A comment could not be read.)\n\n(A comment could not be read.)",
    );
  });
  it("have attachments on GitHub's hosts and their own, each once, and no others", () => {
    const findIn = (...texts: string[]) =>
      findAttachments(
        { externalId: "a/b/issues/1", title: "b#1", url: raw.url, text: texts.join("\n") },
        () => false,
      );
    const pdf = "https://github.com/user-attachments/files/29481762/a.pdf";
    const others = [
      "https://github.com/acme/handbook/assets/884151/31b4",
      "https://user-images.githubusercontent.com/1/2.png",
      "https://git.acme.com/storage/user/5/files/953b5f46",
    ];
    const found = findIn(`[a.pdf](${pdf}) and again ${pdf}`, others.join(")"));
    // The thread is not on that server.
    expect(found.map(({ name, isPicture }) => [name, isPicture])).toEqual([
      ["a.pdf", false],
      ["31b4", true],
      ["2.png", true],
    ]);
    expect(
      findIn(
        "https://github.com/acme/handbook/blob/main/a.pdf http://169.254.169.254/user-attachments/files/1/a.pdf",
        "https://evil.example/user-attachments/files/1/a.pdf /user-attachments/files/",
        "https://raw.githubusercontent.com/a/b/main/a.pdf",
      ),
    ).toEqual([]);
    expect(
      findIn("https://a/".repeat(20_000), "https://github.com/user-attachments/".repeat(20_000)),
    ).toEqual([]);
  });
  it("that are damaged are identified by number, and nothing else is", () => {
    expect(parseThread({ ...raw, comments: null })).toBeUndefined();
    expect(damagedItem("acme/handbook", "issues", { number: 3 })).toMatchObject({
      externalId: "acme/handbook/issues/3",
      title: "handbook#3",
    });
    for (const odd of [null, 1, {}, { number: "3" }, { number: 1.5 }, { number: -1 }])
      expect(damagedItem("acme/handbook", "issues", odd)).toBeUndefined();
    fc.assert(fc.property(fc.jsonValue(), (value) => parseThread(value) === undefined));
  });
});
