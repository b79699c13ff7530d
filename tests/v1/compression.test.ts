// Compression on the wire for each kind of answer, whatever Accept-Encoding says.
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { newPerson, type Person } from "../support/api.ts";
import { allEvents } from "../support/event-stream.ts";
import { readRaw } from "../support/raw-answers.ts";
import { findStack, type Stack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let stack: Stack;
let widgetUrl: string;
let person: Person;
beforeAll(async () => {
  stack = await findStack();
  person = await newPerson();
  const sdk = new URL(stack.webUrl);
  sdk.port = String(Number(sdk.port) + 1);
  widgetUrl = `${sdk.origin}/widget.js`;
});

const accepting = (encodings: string): Record<string, string> =>
  encodings === "" ? {} : { "accept-encoding": encodings };

describe("a built file", () => {
  const scripts = readdirSync("dist/client/assets/chunks").filter((name) => name.endsWith(".js"));
  const [largest = ""] = scripts
    .map((name) => ({ name, size: readFileSync(`dist/client/assets/chunks/${name}`).length }))
    .sort((a, b) => b.size - a.size)
    .map(({ name }) => `assets/chunks/${name}`);
  const hashed = "public, max-age=31536000, immutable";
  const files = [
    { path: largest, at: () => `${stack.webUrl}/${largest}`, file: `dist/client/${largest}`, cache: hashed },
    {
      path: "icon.svg",
      at: () => `${stack.webUrl}/icon.svg`,
      file: "dist/client/icon.svg",
      cache: "public, max-age=3600",
    },
    {
      path: "widget.js",
      at: () => widgetUrl,
      file: "dist/sdk/widget.js",
      cache: "public, max-age=3600",
    },
  ];
  const asked = [
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", undefined],
    ["", undefined],
  ] as const;

  test.each(files)("$path is sent in the requested encoding, as built", async (file) => {
    const plain = readFileSync(file.file);
    const tags = new Set<string | undefined>();
    for (const [encodings, expected] of asked) {
      const { headers, sent, body, status } = await readRaw(file.at(), accepting(encodings));
      expect([encodings, status, headers["content-encoding"]]).toEqual([encodings, 200, expected]);
      expect(body.equals(plain)).toBe(true);
      const copy = readFileSync(`${file.file}${expected ? { br: ".br", gzip: ".gz" }[expected] : ""}`);
      expect(sent.equals(copy)).toBe(true);
      expect(headers).toMatchObject({
        vary: "Accept-Encoding",
        "cache-control": file.cache,
        "content-length": String(sent.length),
      });
      tags.add(headers.etag);
    }
    expect(tags.size).toBe(1);
  });

  test.each(files)("$path is not sent again, and HEAD matches GET", async (file) => {
    const got = await readRaw(file.at(), accepting("br"));
    const head = await readRaw(file.at(), accepting("br"), "HEAD");
    expect(head.sent.length).toBe(0);
    for (const name of ["content-encoding", "content-length", "etag", "vary", "cache-control"])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    const known = await readRaw(file.at(), {
      ...accepting("gzip"),
      "if-none-match": `"other", ${got.headers.etag}`,
    });
    expect([known.status, known.sent.length]).toEqual([304, 0]);
    expect(known.headers).toMatchObject({
      etag: got.headers.etag,
      vary: "Accept-Encoding",
      "cache-control": file.cache,
    });
    const changed = await readRaw(file.at(), { "if-none-match": 'W/"older"' });
    expect(changed.status).toBe(200);
  });

  test("of a compressed format, a font, has one form", async () => {
    const font = readdirSync("dist/client/assets/static").find((name) => name.endsWith(".woff2"));
    const url = `${stack.webUrl}/assets/static/${font}`;
    const { headers, sent } = await readRaw(url, accepting("br, gzip"));
    expect(sent.equals(readFileSync(`dist/client/assets/static/${font}`))).toBe(true);
    expect(headers).toMatchObject({ "cache-control": hashed, etag: expect.any(String) });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers.vary).toBeUndefined();
    expect((await readRaw(url, { "if-none-match": headers.etag ?? "" })).status).toBe(304);
  });

  test("has no second URL for its compressed copy", async () => {
    for (const ending of [".br", ".gz"])
      expect((await readRaw(`${stack.webUrl}/${largest}${ending}`)).status).toBe(404);
  });
});

describe("a page", () => {
  const cases = [
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["identity", undefined],
    ["", undefined],
  ] as const;
  /** Without the parts that differ between renderings. */
  const text = (body: Buffer) => body.toString().replaceAll(/nonce="[^"]*"|data-nonce="[^"]*"/g, "");

  test("is sent in the requested encoding", async () => {
    const { body: plain } = await readRaw(`${stack.webUrl}/`);
    expect(plain.toString()).toContain("</html>");
    for (const [encodings, expected] of cases) {
      const { headers, sent, body } = await readRaw(`${stack.webUrl}/`, accepting(encodings));
      expect([encodings, headers["content-encoding"]]).toEqual([encodings, expected]);
      expect(text(body)).toBe(text(plain));
      expect(headers.vary?.split(", ").sort()).toEqual(["Accept-Encoding", "Accept-Language", "Cookie"]);
      expect(headers["cache-control"]).toBe("private, no-cache");
      if (expected) expect(sent.length).toBeLessThan(plain.length / 3);
    }
    const head = await readRaw(`${stack.webUrl}/`, accepting("br"), "HEAD");
    expect([head.status, head.sent.length]).toEqual([200, 0]);
    expect(head.headers.vary).toContain("Accept-Encoding");
  });

  test("with a session is uncompressed for another site, which cannot measure it", async () => {
    const cookie = cookieOf(await postLogin(person));
    const path = `${stack.webUrl}/teams?search=guess`;
    const encodingFrom = async (headers: Record<string, string>) => {
      const answer = await readRaw(path, { ...accepting("br, gzip"), cookie, ...headers });
      expect(answer.status).toBe(200);
      const encoding = answer.headers["content-encoding"];
      // Nor may a proxy in front compress it.
      expect(answer.headers["cache-control"]).toBe(`private, no-store${encoding ? "" : ", no-transform"}`);
      return encoding;
    };
    expect(await encodingFrom({ "sec-fetch-site": "cross-site" })).toBeUndefined();
    expect(await encodingFrom({ "sec-fetch-site": "same-site" })).toBeUndefined();
    expect(await encodingFrom({ "sec-fetch-site": "same-origin" })).toBe("br");
    expect(await encodingFrom({ "sec-fetch-site": "none" })).toBe("br");
    const api = { ...accepting("gzip"), cookie, "sec-fetch-site": "cross-site" };
    expect((await readRaw(`${stack.webUrl}/v1/roles`, api)).headers["content-encoding"]).toBeUndefined();
  });
});

test("every answer of the web servers says how long it may be kept", async () => {
  const sdk = new URL(widgetUrl).origin;
  const web = [
    "/",
    "/login",
    "/nothing/here",
    "/builds/latest.json",
    "/builds/meta/x.json",
    "/v1/health/public",
  ];
  const urls = [...web.map((path) => stack.webUrl + path), `${sdk}/`, `${sdk}/builds/meta/x.json`];
  const kept = await Promise.all(urls.map(async (url) => (await readRaw(url, {})).headers["cache-control"]));
  expect(urls.filter((_url, at) => !kept[at])).toEqual([]);
});

describe("JSON of the API", () => {
  const both = (path: string) => [`${stack.apiUrl}${path}`, `${stack.webUrl}${path}`] as const;

  test("is compressed by both servers, and tiny answers are not", async () => {
    const authorization = `Bearer ${person.token}`;
    const [direct, onTheWeb] = both("/v1/sourceTypes");
    const { body: plain } = await readRaw(direct, { authorization });
    expect(plain.length).toBeGreaterThan(1024);
    for (const [url, encodings, expected] of [
      [direct, "br, gzip", "gzip"],
      [direct, "gzip", "gzip"],
      [direct, "br", undefined],
      [direct, "identity", undefined],
      [direct, "", undefined],
      [onTheWeb, "br, gzip", "br"],
      [onTheWeb, "gzip", "gzip"],
      [onTheWeb, "identity", undefined],
      [onTheWeb, "", undefined],
    ] as const) {
      const { headers, body } = await readRaw(url, { authorization, ...accepting(encodings) });
      expect([url, encodings, headers["content-encoding"]]).toEqual([url, encodings, expected]);
      expect(body.equals(plain)).toBe(true);
      expect(headers.vary).toContain("Accept-Encoding");
    }
    for (const url of both("/v1/health/public")) {
      const { headers, body } = await readRaw(url, accepting("br, gzip"));
      expect(body.length).toBeLessThan(1024);
      expect(headers["content-encoding"]).toBeUndefined();
    }
  });

  test("has a description that is sent in a tenth of its bytes, and not again while unchanged", async () => {
    const [direct, onTheWeb] = both("/v1/openapi.json");
    const plain = await readRaw(direct);
    for (const url of [direct, onTheWeb]) {
      const { headers, sent, body } = await readRaw(url, accepting("gzip"));
      expect(headers).toMatchObject({
        "content-encoding": "gzip",
        etag: plain.headers.etag,
        "cache-control": "public, max-age=300",
        "content-type": expect.stringContaining("application/json"),
      });
      expect(headers.vary).toContain("Accept-Encoding");
      expect(sent.length).toBeLessThan(plain.sent.length / 10);
      expect(body.equals(plain.body)).toBe(true);
      const known = await readRaw(url, { ...accepting("gzip"), "if-none-match": headers.etag ?? "" });
      expect([known.status, known.sent.length, known.headers.etag]).toEqual([304, 0, headers.etag]);
      const head = await readRaw(url, accepting("gzip"), "HEAD");
      expect([head.status, head.sent.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
    }
    for (const url of both("/v1/docs")) {
      const page = await readRaw(url, accepting("gzip"));
      expect(page.headers["content-encoding"]).toBe("gzip");
      expect(page.body.toString()).toContain("</html>");
    }
  });

  test("streams events uncompressed through both servers", async () => {
    const { body } = await person.get("/v1/agents?perPage=1");
    const question = { agentId: body.data[0].id, messages: [{ role: "user", content: "What can you do?" }] };
    for (const url of both("/v1/streams")) {
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          ...accepting("br, gzip"),
          authorization: `Bearer ${person.token}`,
          "content-type": "application/json",
          accept: "text/event-stream",
        },
        body: JSON.stringify(question),
      });
      expect(answer.headers.get("content-encoding")).toBeNull();
      expect((await allEvents(answer)).map(({ event }) => event)).toContain("done");
    }
  });
});
