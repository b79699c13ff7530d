// Reading a page: what surrounds its text is left out, and what only looks hidden is kept.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";

const read = async (body: string) =>
  (await parseFile({ name: "a.html", bytes: new TextEncoder().encode(`<html><body>${body}</body></html>`) }))
    .text;

describe("a page without a main element", () => {
  it("loses menus, sidebars, footers and consent by the names of page builders", async () => {
    const text = await read(
      `<div id="masthead" class="site-header">Lake clinic</div><div class="breadcrumbs">Home » Hours</div>
       <div class="content has-sidebar"><p>Open from 8 to 19.</p></div>
       <div id="secondary" class="widget-area sidebar">Recent posts</div><div class="sharedaddy">Share</div>
       <div id="onetrust-consent-sdk">We value your privacy</div><div class="bandeau-cookies">Accepter</div>
       <div id="colophon">© 2026</div>`,
    );
    expect(text).toBe("Open from 8 to 19.");
  });

  const fees = "A visit costs 40 € and is paid at the desk, by card or in cash. ".repeat(6).trim();
  it.each([
    ["a sidebar", `<div class="sidebar">${fees}</div>`],
    [
      "sidebars",
      `<div class="sidebar">${fees}</div><div class="widget-area">${fees}</div>`,
      `${fees}\n\n${fees}`,
    ],
    ["a sidebar with a list named like contents", `<div id="sidebar"><div class="toc">${fees}</div></div>`],
    ["a footer", `<footer>${fees}</footer>`],
  ])("is read again when its own text has the name of %s", async (_, own, wanted = fees) => {
    const text = await read(
      `<div class="breadcrumbs">Home</div><h1>Fees</h1>${own}<ul class="navbar"><li><a href="/">${fees}</a></ul>
       <div class="sidebar"><script>${fees}</script></div><div class="cookie-banner">${fees}</div>`,
    );
    expect(text).toBe(`Fees\n\n${wanted}`);
  });

  it("is not read again for a sidebar that is not far longer than its text", async () => {
    expect(await read(`<p>${fees}</p><div class="sidebar">${fees}${fees}</div>`)).toBe(fees);
  });

  it("keeps what is outside of an article that is only a small part of it", async () => {
    const note = "The desk is closed on the first Monday of each month. ".repeat(4).trim();
    const body = fees.repeat(3);
    expect(await read(`<article>${note}</article><div>${body}</div>`)).toBe(`${note}\n\n${body}`);
  });

  it("is not read again for a footer beside a main element", async () => {
    expect(await read(`<main><p>${fees}</p></main><footer>${fees.repeat(9)}</footer>`)).toBe(fees);
  });
});

describe("a page", () => {
  it("loses a heading's link to itself and links back to the top, but no other link", async () => {
    const text = await read(
      `<h2>Visits <a href="#visits">¶</a></h2><p>Two people at a time. See <a href="#rules">top rules</a>.</p>
       <div><a href="#head"><img alt="top" src="up.gif"></a></div><h2><a href="#fees">#</a> Fees</h2>
       <p>Room <a href="/rooms#n">#</a> 5</p><p><a href="#">Retour en haut</a></p>`,
    );
    expect(text).toBe("Visits\n\nTwo people at a time. See top rules.\n\nFees\n\nRoom # 5");
  });

  it("repeats a term for each of its descriptions, and joins terms that share one", async () => {
    const text = await read(
      `<dl><dt>Parking</dt><dd>2 € an hour</dd><dd>free on Sundays</dd><dt>Dogs</dt><dt>Cats</dt><dd>not admitted</dd></dl>
       <p>After.</p>`,
    );
    expect(text).toBe(
      "Parking: 2 € an hour\n\nParking: free on Sundays\n\nDogs, Cats: not admitted\n\nAfter.",
    );
  });

  it("keeps the panels of tabs and what opens when it is searched for", async () => {
    const text = await read(
      `<div role="tabpanel"><p>By card.</p></div><div role="tabpanel" hidden><p>By transfer.</p></div>
       <div hidden="until-found"><p>In cash.</p></div><div hidden><p>Never.</p></div>`,
    );
    expect(text).toBe("By card.\n\nBy transfer.\n\nIn cash.");
  });
});

describe("a CSV", () => {
  it("takes the lines above the column names for its title", async () => {
    const source =
      "Sales by shop;;\nExported on 4 November;;\n;;\nShop;City;Income\nRivoli;Paris;1240\nBellecour;Lyon;640\n";
    const { text, structure } = await parseFile({ name: "a.csv", bytes: new TextEncoder().encode(source) });
    expect(text).toMatch(
      /^Sales by shop\n\nExported on 4 November\n\nShop: Rivoli\nCity: Paris\nIncome: 1240/,
    );
    expect(structure.find(({ kind }) => kind === "table")).toMatchObject({
      columns: ["Shop", "City", "Income"],
      caption: "Sales by shop · Exported on 4 November",
    });
  });
});
