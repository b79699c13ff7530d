// Calls to URLs that users enter, made for real against a test server: requests, answers and endings.
import type { LookupAddress } from "node:dns";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createBrotliCompress, createGzip } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";
import { say } from "../support/words.ts";

let resolved: LookupAddress[] | Error = [];
vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup: (
    _host: string,
    options: { all?: boolean },
    found: (error: Error | null, addresses?: LookupAddress[]) => void,
  ) => {
    if (resolved instanceof Error) return found(resolved);
    found(null, options.all ? resolved : resolved.slice(0, 1));
  },
}));

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
let asked: {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}[];
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method, url: path, headers } = request;
  asked.push({ method, url: path, headers, body: Buffer.concat(parts).toString() });
  answer(request, response);
});
let connections = 0;
server.on("connection", () => connections++);
let url: string;
type Connections = typeof import("../../edge-functions/_shared/outbound/connections.ts");
let checkedLookup: Connections["checkedLookup"];
let makeConnections: Connections["makeConnections"];
let outbound: typeof import("../../edge-functions/_shared/outbound/outbound.ts");
let fetchWithin: typeof import("../../edge-functions/_shared/outbound/outbound-fetch.ts").fetchWithin;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stubSettings({ PARLEY_OUTBOUND_ALLOW: new URL(url).host });
  outbound = await import("../../edge-functions/_shared/outbound/outbound.ts");
  ({ checkedLookup, makeConnections } = await import("../../edge-functions/_shared/outbound/connections.ts"));
  ({ fetchWithin } = await import("../../edge-functions/_shared/outbound/outbound-fetch.ts"));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  asked = [];
  connections = 0;
  resolved = [];
  answer = (_request, response) => void response.end("ok");
});

const problem = (made: Promise<unknown>) =>
  made.then(
    () => "none",
    (error: { problem?: string; message: string }) => error.problem ?? error.message,
  );

describe("a host name", () => {
  const look = (found: LookupAddress[] | Error, all?: boolean) =>
    new Promise<unknown[]>((resolve) => {
      resolved = found;
      checkedLookup("a.example", { all }, (...answered) => resolve(answered));
    });
  const open = { address: "8.8.8.8", family: 4 };
  const openToo = { address: "2606:4700:4700::1111", family: 6 };

  test("connects to its checked addresses, or the first of them", async () => {
    expect(await look([open, openToo], true)).toEqual([null, [open, openToo]]);
    expect(await look([open, openToo])).toEqual([null, "8.8.8.8", 4]);
  });

  test("with one forbidden address is refused", async () => {
    for (const found of [[], [{ address: "10.0.0.1", family: 4 }], [open, { address: "::1", family: 6 }]]) {
      const [error, address] = await look(found, true);
      expect(error).toMatchObject({
        problem: "forbidden",
        message: "a.example is not on the open internet.",
      });
      expect(address).toBe("");
    }
  });

  test("that is unknown is reported", async () => {
    const unknown = new Error("ENOTFOUND");
    expect(await look(unknown)).toEqual([unknown, ""]);
  });

  test("is resolved for a call to the internet, and not for an allowed host", async () => {
    resolved = [{ address: "127.0.0.1", family: 4 }];
    expect(await problem(outbound.send(new URL("https://a.example")))).toBe("forbidden");
    expect(await problem(fetchWithin()("https://a.example"))).toBe("forbidden");
    const here = url.replace("127.0.0.1", "localhost");
    expect(await problem(fetchWithin(new URL(here).host)(here))).toBe("none");
  });
});

describe("sending", () => {
  test("sends the user agent and the body's length", async () => {
    await outbound.send(new URL("/a?b", url));
    await outbound.send(new URL("/c", url), {
      method: "POST",
      body: "é",
      headers: { accept: "text/html", x: "y" },
    });
    expect(asked).toMatchObject([
      {
        method: "GET",
        url: "/a?b",
        headers: { accept: "application/json", "user-agent": "Parley/1.0" },
        body: "",
      },
      {
        method: "POST",
        url: "/c",
        headers: { accept: "text/html", x: "y", "content-length": "2" },
        body: "é",
      },
    ]);
    expect(asked[0]?.headers["content-length"]).toBeUndefined();
  });

  test("returns the answer's bytes, text and every header", async () => {
    answer = (_request, response) =>
      void response
        .writeHead(
          201,
          [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
            ["x-one", "1"],
          ].flat(),
        )
        .end("é");
    const got = await outbound.send(new URL(url));
    expect(got).toMatchObject({ status: 201, text: "é" });
    expect([...got.bytes]).toEqual([0xc3, 0xa9]);
    expect(Buffer.isBuffer(got.bytes)).toBe(false);
    expect([got.headers.get("x-one"), got.headers.getSetCookie()]).toEqual(["1", ["a=1", "b=2"]]);
  });

  test("accepts as many bytes as allowed, and not one more", async () => {
    answer = (_request, response) => void response.end("12345");
    expect((await outbound.send(new URL(url), { maxBytes: 5 })).text).toBe("12345");
    expect(await problem(outbound.send(new URL(url), { maxBytes: 4 }))).toBe("too_large");
  });

  test("that is impossible gives the reason", async () => {
    answer = (_request, response) => {
      response.write("begun");
      setImmediate(() => response.destroy());
    };
    expect(await problem(outbound.send(new URL(url)))).toBe("unreachable");
    expect(await problem(outbound.send(new URL("http://a.example")))).toBe("forbidden");
    const reason = new Error("stopped");
    await expect(outbound.send(new URL(url), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toHaveLength(1);
  });

  test("leaves no timer running", async () => {
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    const set = vi.spyOn(globalThis, "setTimeout");
    await outbound.send(new URL(url));
    const timer = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 30_000)]?.value;
    expect(cleared).toHaveBeenCalledWith(timer);
    vi.restoreAllMocks();
  });
});

describe("an allowed host", () => {
  const why = (address: string, allowed?: string) => {
    try {
      outbound.checkAddress(new URL(address), allowed);
      return "open";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    ["https://8.8.8.8", "open"],
    ["https://a.example", "open"],
    ["https://notlocalhost", "open"],
    ["https://local.example", "open"],
    ["mailto:a@b.example", say("problems:sentences.onlyHttps")],
    ["http://a.example", "a.example must be called over https://."],
    ["https://user@a.example", "a.example must not be given with a name or a password in it."],
    ["https://:secret@a.example", "a.example must not be given with a name or a password in it."],
    ["https://a.localhost.", "a.localhost. is not on the open internet."],
    ["https://router.home.arpa", "router.home.arpa is not on the open internet."],
    ["https://[fd12::1]", "[fd12::1] is not on the open internet."],
    ["https://[2606:4700:4700::1111]", "open"],
  ])("%s", (address, expected) => expect(why(address, "")).toBe(expected));

  test("is matched by its own port, or its protocol's default", () => {
    const isAllowed = (address: string, places: string) => outbound.isAllowedPlace(new URL(address), places);
    expect(isAllowed("http://a.example", "a.example:80")).toBe(true);
    expect(isAllowed("https://a.example", "a.example:80")).toBe(false);
    expect(isAllowed("https://a.example", " x:1 , A.example:443 ")).toBe(true);
    expect(why(url)).toBe("open");
  });
});

describe("a connection", () => {
  const call = {
    "a call": async (path = "") => (await outbound.send(new URL(url + path))).text,
    "a model's call": async (path = "") => await (await fetchWithin()(url + path, { method: "POST" })).text(),
  };

  /** Opens one, whatever the test before has left. */
  async function open(make: () => Promise<string>): Promise<void> {
    await make();
    await make();
    connections = 0;
    asked = [];
  }

  test.each(Object.entries(call))("serves one call after another: %s", async (_name, make) => {
    await open(make);
    expect([await make(), await make()]).toEqual(["ok", "ok"]);
    expect(connections).toBe(0);
    await Promise.all([make(), make()]);
    expect(connections).toBe(1);
  });

  test.each(Object.entries(call))(
    "that the service closes meanwhile is opened again: %s",
    async (_name, make) => {
      await open(make);
      // As if it had closed it while the call was on its way.
      answer = (request) => {
        answer = (_request, response) => void response.end("again");
        request.socket.destroy();
      };
      expect(await make()).toBe("again");
      expect([connections, asked.length]).toEqual([1, 2]);
    },
  );

  test("that breaks does not repeat a call that writes", async () => {
    await open(call["a call"]);
    answer = (request) => void request.socket.destroy();
    const write = outbound.send(new URL(url), { method: "POST", body: "1" });
    expect(await problem(write)).toBe("unreachable");
    expect([connections, asked.length]).toEqual([0, 1]);
  });

  test("to an allowed place serves no call that may reach only the internet", () => {
    const route = makeConnections(1000);
    const place = new URL("https://a.example");
    const [allowed, checked, fresh] = [
      route(place, true, false),
      route(place, false, false),
      route(place, false, true),
    ];
    expect(allowed.agent).not.toBe(checked.agent);
    expect([allowed.lookup, checked.lookup, fresh.lookup]).toEqual([undefined, checkedLookup, checkedLookup]);
    expect(fresh.agent).toBe(false);
  });
});

describe("fetching", () => {
  const makeFetch = () => fetchWithin();

  test("sends what it is given, and only text", async () => {
    await makeFetch()(url, { method: "POST", body: "é", headers: { "x-one": "1" } });
    await makeFetch()(new Request(`${url}/again`));
    await makeFetch()(url, { body: null });
    expect(asked).toMatchObject([
      { method: "POST", headers: { "x-one": "1", "content-length": "2" }, body: "é" },
      { method: "GET", url: "/again", body: "" },
      { method: "GET", url: "/" },
    ]);
    expect(asked[1]?.headers["content-length"]).toBeUndefined();
    expect(await problem(makeFetch()(url, { method: "POST", body: new Uint8Array(1) }))).toBe(
      "only text is sent",
    );
    expect(await problem(makeFetch()("http://a.example"))).toBe("forbidden");
  });

  test("admits hosts named beside those of the installation", async () => {
    const other = createServer((_request, response) => void response.end("other"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const place = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await problem(makeFetch()(`http://${place}`))).toBe("forbidden");
    expect(await (await fetchWithin(place)(`http://${place}`)).text()).toBe("other");
    expect(await (await fetchWithin(place)(url)).text()).toBe("ok");
    other.closeAllConnections();
    other.close();
  });

  test("follows no redirect, and returns bodies only for answers with one", async () => {
    answer = (_request, response) => void response.writeHead(302, { location: "/x" }).end("gone");
    const redirected = await makeFetch()(url);
    expect([redirected.status, redirected.headers.get("location"), await redirected.text()]).toEqual([
      302,
      "/x",
      "gone",
    ]);
    for (const status of [204, 205, 304]) {
      answer = (_request, response) => void response.writeHead(status).end();
      const empty = await makeFetch()(url);
      expect([empty.status, empty.body]).toEqual([status, null]);
    }
  });

  test("streams a body as it arrives, however long", async () => {
    let more = () => {};
    answer = (_request, response) => {
      response.write("first");
      more = () => void response.end("x".repeat(1_000_000));
    };
    const reader = (await makeFetch()(url)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    more();
    let length = 0;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      length += part.value?.length ?? 0;
    expect(length).toBe(1_000_000);
  });

  test.each([
    ["gzip", createGzip],
    ["br", createBrotliCompress],
  ])("reads a body that was compressed unasked, as %s, as it arrives", async (encoding, compress) => {
    const packed = compress();
    answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      packed.pipe(response);
      packed.write("first");
      packed.flush();
    };
    const reader = (await makeFetch()(url)).body?.getReader();
    const decode = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await decode()).toBe("first");
    packed.end("second");
    expect(await decode()).toBe("second");
    expect((await reader?.read())?.done).toBe(true);
    answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.write("not compressed");
      response.end();
    };
    await expect(makeFetch()(url).then((response) => response.text())).rejects.toThrow();
  });

  test("fails when the body breaks off", async () => {
    answer = (_request, response) => {
      response.write("begun");
      setImmediate(() => response.destroy());
    };
    const broken = await makeFetch()(url);
    expect(await problem(broken.text())).not.toBe("none");
  });

  test("closes the connection when the reader stops", async () => {
    const closed = new Promise((resolve) => {
      answer = (_request, response) => {
        response.on("close", resolve);
        response.write("begun");
      };
    });
    const body = (await makeFetch()(url)).body?.getReader();
    await body?.read();
    await body?.cancel();
    await closed;
  });

  test("ends with the signal's reason, before and during a call", async () => {
    const reason = new Error("stopped");
    await expect(makeFetch()(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toEqual([]);
    const call = new AbortController();
    answer = () => call.abort(reason);
    await expect(makeFetch()(url, { signal: call.signal })).rejects.toBe(reason);
  });

  test("reports the connection's error", async () => {
    answer = (request) => void request.socket.destroy();
    expect(await problem(makeFetch()(url))).toMatch(/hang up|ECONNRESET/);
  });
});
