// Converting Confluence's answers to text: without a failure for any input, and without a loss in people's text; which files are read.

import { describe, expect, it } from "vitest";
import { htmlOfStorage } from "../../edge-functions/indexing/connectors/confluence/storage.ts";
import {
  attachmentItem,
  damagedItem,
  pageItem,
  partsOfId,
} from "../../edge-functions/indexing/connectors/confluence/transform.ts";
import { documentExtensions, pictureOff } from "../../edge-functions/indexing/connectors/readable.ts";
import { csv } from "../../edge-functions/indexing/parsers/csv.ts";
import { docx } from "../../edge-functions/indexing/parsers/docx.ts";
import { eml } from "../../edge-functions/indexing/parsers/eml.ts";
import { epub } from "../../edge-functions/indexing/parsers/epub.ts";
import { html } from "../../edge-functions/indexing/parsers/html.ts";
import { json } from "../../edge-functions/indexing/parsers/json.ts";
import { markdown } from "../../edge-functions/indexing/parsers/markdown.ts";
import { notebook } from "../../edge-functions/indexing/parsers/notebook.ts";
import { odp } from "../../edge-functions/indexing/parsers/odp.ts";
import { ods } from "../../edge-functions/indexing/parsers/ods.ts";
import { odt } from "../../edge-functions/indexing/parsers/odt.ts";
import { pdf } from "../../edge-functions/indexing/parsers/pdf.ts";
import { plain } from "../../edge-functions/indexing/parsers/plain.ts";
import { pptx } from "../../edge-functions/indexing/parsers/pptx.ts";
import { rtf } from "../../edge-functions/indexing/parsers/rtf.ts";
import { transcript } from "../../edge-functions/indexing/parsers/transcript.ts";
import { xlsx } from "../../edge-functions/indexing/parsers/xlsx.ts";
import fc from "../support/property-cases.ts";

const site = "https://acme.atlassian.net";
const version = { createdAt: "2026-03-01T00:00:00.000Z", number: 3 };
const textOf = (value: string) =>
  pageItem(site, "pages", {
    id: "1",
    title: "T",
    spaceId: "1",
    version,
    body: { storage: { value } },
  }).text?.replace("# T\n\nChanged: 2026-03-01\n\n", "");

describe("the storage format", () => {
  it.each([
    ["entities and marks", "<p>Caf&eacute;&nbsp;&amp; <strong>bar</strong> &lt;b&gt;</p>", "Café & bar <b>"],
    [
      "code, whatever stands in it",
      '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">xml</ac:parameter><ac:plain-text-body><![CDATA[<a href="x">&amp; ``` </a>]]></ac:plain-text-body></ac:structured-macro>',
      '````\n<a href="x">&amp; ``` </a>\n````',
    ],
    [
      "panels and what is folded in, with their titles",
      '<ac:structured-macro ac:name="expand"><ac:parameter ac:name="title">More</ac:parameter><ac:rich-text-body><p>Inside.</p><ac:structured-macro ac:name="info"><ac:rich-text-body><p>Mind.</p></ac:rich-text-body></ac:structured-macro></ac:rich-text-body></ac:structured-macro>',
      "More\n\nInside.\n\nMind.",
    ],
    [
      "links to pages, with words of their own or without",
      '<p><ac:link><ri:page ri:content-title="Rules &amp; more" /></ac:link> and <ac:link><ri:page ri:content-title="X" /><ac:plain-text-link-body><![CDATA[these <here>]]></ac:plain-text-link-body></ac:link></p>',
      "Rules & more and these <here>",
    ],
    [
      "tasks",
      "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Done</ac:task-body></ac:task><ac:task><ac:task-id>2</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body>Open</ac:task-body></ac:task></ac:task-list>",
      "- [x] Done\n- [ ] Open",
    ],
    [
      "status, dates, issues and smileys; macros that only lists or pictures say nothing",
      '<p><ac:structured-macro ac:name="status"><ac:parameter ac:name="colour">Red</ac:parameter><ac:parameter ac:name="title">LATE</ac:parameter></ac:structured-macro> <time datetime="2026-05-01" /> <ac:structured-macro ac:name="jira"><ac:parameter ac:name="key">OPS-1</ac:parameter></ac:structured-macro> <ac:emoticon ac:emoji-fallback="🙂" /></p><ac:structured-macro ac:name="toc"><ac:parameter ac:name="maxLevel">2</ac:parameter></ac:structured-macro><ac:image><ri:attachment ri:filename="a.png" /></ac:image>',
      "LATE 2026-05-01 OPS-1 🙂",
    ],
    [
      "tables with cells that span",
      '<table><colgroup><col /></colgroup><tbody><tr><th>A</th><th>B</th></tr><tr><td colspan="2">x</td></tr><tr><td>1</td><td><p>2</p></td></tr></tbody></table>',
      "|  | A | B |\n| --- | --- | --- |\n| x | 1 | 2 |",
    ],
    [
      "the file that is shown, the page that is included, and no anchor",
      '<ac:structured-macro ac:name="view-file"><ac:parameter ac:name="name"><ri:attachment ri:filename="plan.pdf" /></ac:parameter><ac:parameter ac:name="height">250</ac:parameter></ac:structured-macro> <ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link><ri:page ri:content-title="Rules &amp; more" /></ac:link></ac:parameter></ac:structured-macro> <ac:structured-macro ac:name="excerpt-include"><ac:parameter ac:name="default-parameter">Leave</ac:parameter></ac:structured-macro><ac:structured-macro ac:name="anchor"><ac:parameter ac:name="">top</ac:parameter></ac:structured-macro>',
      "plan.pdf Rules & more Leave",
    ],
    [
      "what stands twice, once",
      '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute><ac:adf-content><p>Once.</p></ac:adf-content></ac:adf-node><ac:adf-fallback><p>Once.</p><ac:task-list><ac:task><ac:task-status>complete</ac:task-status><ac:task-body>Once.</ac:task-body></ac:task></ac:task-list></ac:adf-fallback></ac:adf-extension>',
      "Once.",
    ],
  ])("becomes %s", (_, storage, text) => {
    expect(textOf(storage)).toBe(text);
  });

  it("is converted whatever it contains, runs no script, and takes little time with hostile nesting", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (storage) => typeof htmlOfStorage(storage, () => "") === "string",
      ),
    );
    const parts = [
      "<ac:link>",
      "<ac:task-status>",
      "<ac:parameter ac:name='__proto__'>",
      "<![CDATA[",
      "]]>",
      "</x>",
      "<p a='\"'>",
      "a",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), (all) => typeof textOf(all.join("")) === "string"),
    );
    expect(textOf("<script>alert(1)</script><style>x</style><p>ok</p>")).toBe("ok");
    expect(textOf(`${"<ac:structured-macro><div>".repeat(50_000)}deep`)).toContain("deep");
  });
});

describe("items", () => {
  it("have URLs of the site only", () => {
    const page = { id: "1", title: "\n", spaceId: "1", version };
    const at = (webui: string) => pageItem(site, "pages", { ...page, _links: { webui } });
    expect(at("/spaces/A/pages/1/B")).toMatchObject({
      title: "Untitled",
      url: `${site}/wiki/spaces/A/pages/1/B`,
    });
    expect(at("javascript:alert(1)").url).toBeUndefined();
    expect(at("//evil.example/x").url).toMatch(/^https:\/\/acme\.atlassian\.net\//);
    expect(at("/x").text).toBeUndefined();
  });
  it("of files are those of a readable type and size, and images when enabled", () => {
    const file = (title: string, more = {}, withPictures = false) =>
      attachmentItem({ site, withPictures }, { id: "att1", title, pageId: "1", version, ...more });
    expect(file("a.PDF").item).toMatchObject({ externalId: "attachments/att1" });
    expect(file("a.exe").note?.problem).toContain("not read");
    expect(file("a.pdf", { fileSize: 30_000_000 }).note?.problem).toContain("larger");
    const scan = { mediaType: "image/jpeg" };
    for (const one of [file("a.png"), file("scan", scan)]) expect(one.note?.problem).toBe(pictureOff);
    for (const one of [file("a.png", {}, true), file("scan", scan, true)])
      expect(one.item).toMatchObject({ externalId: "attachments/att1" });
    expect(file("a.svg", {}, true).note?.problem).toContain("Save it as PNG");
    expect(file("film", { mediaType: "video/mp4" }, true).note?.problem).toContain("Audio and video");
    const readable = [
      csv,
      docx,
      eml,
      epub,
      html,
      json,
      markdown,
      notebook,
      odp,
      ods,
      odt,
      pdf,
      plain,
      pptx,
      rtf,
      transcript,
      xlsx,
    ].flatMap((one) => one.extensions);
    expect(documentExtensions.filter((one) => !readable.includes(one))).toEqual([]);
  });
  it("that are damaged are identified by id", () => {
    expect(damagedItem("pages", { id: 7, title: 3 })).toMatchObject({
      externalId: "pages/7",
      title: "Untitled",
    });
    for (const odd of [null, 1, {}, { id: "x" }, { id: "../1" }])
      expect(damagedItem("pages", odd)).toBeUndefined();
    expect(["pages/1", "attachments/att1", "pages/1/2", "spaces/1"].map((one) => partsOfId(one)?.id)).toEqual(
      ["1", "att1", undefined, undefined],
    );
  });
});
