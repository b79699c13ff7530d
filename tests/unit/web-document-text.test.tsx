// A document's text: its tables, its bold words, and the passage that a reply quotes; and a passage without its document.
import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { CitedWords } from "../../web/pages/chats/CitedWords.tsx";
import type { Citation } from "../../web/pages/chats/chat.ts";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { beginningOf } from "../../web/request/document-text.ts";
import { DocumentText } from "../../web/ui/DocumentText.tsx";
import { PassageText } from "../../web/ui/PassageText.tsx";

const i18n = createInstance();
await i18n.init({ lng: "en", resources: {} });

async function renderText(name: string, source: string, quoted: string) {
  const { text, structure } = await parseFile({ name, bytes: new TextEncoder().encode(source) });
  const start = text.indexOf(quoted);
  expect(start).toBeGreaterThanOrEqual(0);
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <DocumentText
        content={text}
        marks={structure}
        tables={tablesOf(text, structure)}
        quote={{ start, end: start + quoted.length }}
      />
    </I18nextProvider>,
  ).replace(/ class="[^"]*"| scope="col"/g, "");
}

test("a Markdown table is a table, with the quoted row marked and the text around it unchanged", async () => {
  const html = await renderText(
    "a.md",
    "Before.\n\n| City | Limit |\n| --- | --- |\n| Ghent | 5 |\n| Paris | <7> |\n\nAfter.",
    "| Paris |",
  );
  expect(html).toContain("<th>City</th><th>Limit</th>");
  expect(html).toContain(
    '<tr><td>Ghent</td><td>5</td></tr><tr id="quote"><td><mark>Paris</mark></td><td><mark>&lt;7&gt;</mark></td></tr>',
  );
  expect(html).not.toContain("|");
  expect(html.indexOf("Before.")).toBeLessThan(html.indexOf("<table>"));
  expect(html.indexOf("After.")).toBeGreaterThan(html.indexOf("</table>"));
});

test("struck words are struck, in text, cells and quotes, and fences of code are not", async () => {
  const html = await renderText(
    "a.html",
    "<p>Now <s>300 €</s> 250 €.</p><table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td><del>9</del> 8</td></tr></table><p>x ~~~ y</p>",
    "300",
  );
  expect(html).toContain('Now <s><mark id="quote">300</mark> €</s> 250 €.');
  expect(html).toContain("<td><s>9</s> 8</td>");
  expect(html).toContain("x ~~~ y");
  const cited: Citation = {
    index: 1,
    sourceId: "s",
    documentId: "d",
    chunkId: "c",
    title: "t",
    url: null,
    quote: "Now ~~300 €~~ **250 €**\n| a | ~~b~~ |",
  };
  expect(renderToStaticMarkup(<CitedWords citation={cited} />)).toContain(
    "Now <s>300 €</s> 250 €\na · <s>b</s>",
  );
});

test("a sheet is a table, with its empty cells", async () => {
  const html = await renderText("a.csv", "Name,Price,Note\nTea,4,\nMilk,,cold\n", "Name: Milk\nNote: cold");
  expect(html).toContain(
    '<tr><td>Tea</td><td>4</td><td></td></tr><tr id="quote"><td><mark>Milk</mark></td><td></td>',
  );
});

test("a wrapped sentence is joined, and separate lines stay separate", async () => {
  const wrapped =
    "The request is made in the tool for calendars, one week ahead for up to three days,\nfour weeks ahead";
  const html = await renderText(
    "a.txt",
    `${wrapped} for more.\nAnswer within three days.\nMonday\nTuesday`,
    "Monday",
  );
  expect(html).toContain("three days, four weeks ahead for more.\nAnswer within three days.\n");
  expect(html).toContain('<mark id="quote">Monday</mark>\nTuesday');
});

test("the beginning of a text keeps the rows of a table that are whole, and shows no bars of the others", async () => {
  const rows = Array.from({ length: 40 }, (_, at) => `| Item ${at} | ${at} euros |`);
  const source = ["# Prices", "", "| Name | Price |", "| --- | --- |", ...rows, "", "The end."].join("\n");
  const { text, structure } = await parseFile({ name: "a.md", bytes: new TextEncoder().encode(source) });
  const whole = { content: text, marks: structure, tables: tablesOf(text, structure) };
  const beginning = beginningOf(whole, text.indexOf("Item 20") + 3);
  expect(beginning.tables.map((table) => table.rows.length)).toEqual([20]);
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <DocumentText compact quote={null} {...beginning} />
    </I18nextProvider>,
  );
  expect(html).toContain("Item 19");
  expect(html).not.toMatch(/\||Item 20|The end/);
  expect(beginningOf(whole, text.length)).toEqual(whole);
});

test("bold words are bold, and a passage across them is marked as one", async () => {
  const html = await renderText("a.md", "- **People team**, for pay\n- 2**3**4 = 6", "People team**, for");
  expect(html).toContain(
    '- <strong><mark id="quote">People team</mark></strong><mark>, for</mark> pay\n- 2**3**4 = 6',
  );
});

test("a link is its words, also in bold ones, and a call in code is unchanged", async () => {
  const html = await renderText(
    "a.md",
    'Book [your desk](desk.md) or **a [room](#rooms "Rooms")**.\n\n![The plan](plan.png) shows it. Call a[0](x).\n\n| Who | Where |\n| --- | --- |\n| [Ada](ada.md) | **Desk 1** |',
    "Book [your desk](desk.md)",
  );
  expect(html).toContain(
    '<mark id="quote">Book </mark><mark>your desk</mark> or <strong>a </strong><strong>room</strong>.',
  );
  expect(html).toContain("The plan shows it. Call a[0](x).");
  expect(html).toContain("<td>Ada</td><td>Desk 1</td>");
  expect(html).not.toMatch(/\.md|\.png|\*/);
});

function renderPassage(content: string, heading: string) {
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <PassageText content={content} heading={heading} />
    </I18nextProvider>,
  ).replace(/ class="[^"]*"| scope="col"/g, "");
}

test("a passage shows the headings that it begins with, its table and its bold words", () => {
  const table = "| City | Limit |\n| --- | --- |\n| Paris | 180 |\n| Ghent | 90 |";
  const html = renderPassage(`# Travel\n\n## **Hotels**\n\nIn **euros**:\n\n${table}`, "Travel › Hotels");
  expect(html).toContain("<h3>Travel</h3>");
  expect(html).toContain("<h3><strong>Hotels</strong></h3>");
  expect(html).toContain("<div>In <strong>euros</strong>:</div>");
  expect(html).toContain("<th>City</th><th>Limit</th>");
  expect(html).toContain("<tr><td>Ghent</td><td>90</td></tr>");
  expect(html).not.toMatch(/[#|]/);
});

test("rows of a table that began before the passage are rows", () => {
  const html = renderPassage("| Paris | 180 |\n| Ghent | 90 |\n\nAfter.", "Travel");
  expect(html).toContain("<tbody><tr><td>Paris</td><td>180</td></tr><tr>");
  expect(html).not.toContain("<th>");
  expect(html).toContain("<div>After.</div>");
});

test("a passage of source code stays as written", () => {
  const code = "# Sends the mail.\ndef send(*args, **more):\n    return args | more";
  expect(renderPassage(code, "send")).toBe(`<div><div>${code}</div></div>`);
});
