// /functions/v1 up to an edge function, for which any HTTP server stands in.
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { proxyToFunction } from "../../supabase/local/gateway/functions-proxy.ts";
import { readRaw } from "../support/raw-answers.ts";

let behave: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
let upstream: Server;
let gateway: Server;
let url: string;
/** How often the gateway has sent headers before a body. */
let flushes = 0;

const listen = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

beforeAll(async () => {
  upstream = createServer((incoming, outgoing) => behave(incoming, outgoing));
  const address = `http://127.0.0.1:${await listen(upstream)}`;
  gateway = createServer((incoming, outgoing) => {
    const flush = outgoing.flushHeaders.bind(outgoing);
    outgoing.flushHeaders = () => {
      flushes += 1;
      flush();
    };
    proxyToFunction(incoming, outgoing, { v1: address, gone: "http://127.0.0.1:9" });
  });
  url = `http://127.0.0.1:${await listen(gateway)}`;
});
afterAll(() => {
  for (const server of [upstream, gateway]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  behave = (incoming, outgoing) => {
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ method: incoming.method, path: incoming.url, headers: incoming.headers }));
  };
});

async function echo(path: string, init?: RequestInit) {
  return (await fetch(url + path, init)).json();
}

describe("the proxy to a function", () => {
  it("keeps the function's name first in the path, as hosted Supabase does", async () => {
    expect(await echo("/functions/v1/v1/agents?name=a%20b&x=%2F")).toMatchObject({
      path: "/v1/agents?name=a%20b&x=%2F",
    });
    expect(await echo("/functions/v1/v1")).toMatchObject({ path: "/v1" });
    expect(await echo("/functions/v1/v1?x")).toMatchObject({ path: "/v1?x" });
  });

  it("forwards credentials and the client's address", async () => {
    const { headers } = await echo("/functions/v1/v1/x", {
      headers: { authorization: "Bearer prl_a_b", apikey: "k", "x-forwarded-for": "10.0.0.1" },
    });
    expect(headers).toMatchObject({ authorization: "Bearer prl_a_b", apikey: "k" });
    expect(headers["x-forwarded-for"]).toBe("10.0.0.1, 127.0.0.1");
  });

  it.each(["/functions/v1/", "/functions/v1/other/x", "/functions/v1/v1x", "/functions/v1/toString/x"])(
    "answers 404 at %s",
    async (path) => {
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
    },
  );

  it("answers 503 while the function is down", async () => {
    const response = await fetch(`${url}/functions/v1/gone/x`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "UNAVAILABLE" });
  });

  it("answers any origin and never honours cookies", async () => {
    behave = (_incoming, outgoing) => {
      outgoing.setHeader("access-control-allow-origin", "https://one.test");
      outgoing.setHeader("access-control-allow-credentials", "true");
      outgoing.end();
    };
    const response = await fetch(`${url}/functions/v1/v1/x`);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("forwards a compressed answer unchanged to its requester", async () => {
    const packed = gzipSync("x".repeat(5000));
    let asked: unknown;
    behave = (incoming, outgoing) => {
      asked = incoming.headers["accept-encoding"];
      outgoing.setHeader("content-encoding", "gzip");
      outgoing.setHeader("vary", "Accept-Encoding");
      outgoing.end(packed);
    };
    const { headers, sent } = await readRaw(`${url}/functions/v1/v1/x`, {
      "accept-encoding": "br, gzip;q=0.5",
    });
    expect(asked).toBe("br, gzip;q=0.5");
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(sent.equals(packed)).toBe(true);
    await readRaw(`${url}/functions/v1/v1/x`);
    expect(asked).toBeUndefined();
  });

  it("forwards each event as it occurs, not when the stream ends", async () => {
    let finish = () => {};
    behave = (_incoming, outgoing) => {
      outgoing.setHeader("content-type", "text/event-stream");
      outgoing.flushHeaders();
      setTimeout(() => outgoing.write("data: one\n\n"), 20);
      finish = () => outgoing.end("data: two\n\n");
    };
    const response = await fetch(`${url}/functions/v1/v1/stream`);
    const reader = response.body?.getReader();
    const decode = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk);
    expect(decode((await reader?.read())?.value)).toBe("data: one\n\n");
    finish();
    expect(decode((await reader?.read())?.value)).toBe("data: two\n\n");
  });

  it("sends the headers with a body that is there, and before one that is to come", async () => {
    const before = flushes;
    await echo("/functions/v1/v1/x");
    expect(flushes).toBe(before);
    behave = (_incoming, outgoing) => {
      outgoing.setHeader("content-type", "text/event-stream");
      outgoing.write("data: one\n\n");
      outgoing.end();
    };
    await (await fetch(`${url}/functions/v1/v1/stream`)).text();
    expect(flushes).toBe(before + 1);
  });

  it("signals the function when its reader disconnects", async () => {
    const gone = new Promise<void>((resolve) => {
      behave = (_incoming, outgoing) => {
        outgoing.write("data: one\n\n");
        outgoing.on("close", resolve);
      };
    });
    const abort = new AbortController();
    const response = await fetch(`${url}/functions/v1/v1/stream`, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await gone;
  });

  it("signals the reader when the function aborts", async () => {
    behave = (_incoming, outgoing) => {
      outgoing.write("data: one\n\n", () => outgoing.destroy());
    };
    const response = await fetch(`${url}/functions/v1/v1/stream`);
    await expect(response.text()).rejects.toThrow();
  });

  it("forwards a body while it arrives", async () => {
    const first = new Promise<string>((resolve) => {
      behave = (incoming, outgoing) => {
        incoming.once("data", (chunk: Buffer) => {
          resolve(chunk.toString());
          incoming.resume();
        });
        incoming.on("end", () => outgoing.end("done"));
      };
    });
    const sending = request(`${url}/functions/v1/v1/upload`, { method: "POST" });
    const answered = new Promise<IncomingMessage>((resolve) => sending.once("response", resolve));
    sending.write("part one");
    expect(await first).toBe("part one");
    sending.end("part two");
    expect((await answered).statusCode).toBe(200);
  });

  it("keeps a connection usable after a refusal with an unread body", async () => {
    behave = (incoming, outgoing) => {
      // One byte is read and no more: Node would discard the rest of an untouched body.
      incoming.once("readable", () => incoming.read(1));
      outgoing.statusCode = 413;
      outgoing.end("too large");
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        let status: number | undefined;
        const sending = request(`${url}/functions/v1/v1/x`, { method: "POST", agent }, (response) => {
          status = response.resume().statusCode;
        });
        sending.on("error", reject).on("close", () => resolve(status));
        sending.end(body);
      });
    // More than sockets buffer, so that the refusal always precedes the end of the body.
    for (const mebibytes of [16, 32, 16]) {
      expect(await send("x".repeat(mebibytes * 1024 * 1024))).toBe(413);
      expect(await send("small")).toBe(413);
    }
    agent.destroy();
  });

  it("frames a streamed DELETE, so that its body is not parsed as a second request", async () => {
    const seen: string[] = [];
    behave = (incoming, outgoing) => {
      seen.push(`${incoming.method} ${incoming.url}`);
      incoming.resume().on("end", () => outgoing.end("ok"));
    };
    const smuggled = "GET /v1/admin HTTP/1.1\r\nHost: x\r\n\r\n";
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const size = smuggled.length.toString(16);
    socket.write(
      `DELETE /functions/v1/v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n${smuggled}\r\n0\r\n\r\n`,
    );
    await new Promise((resolve) => socket.resume().on("close", resolve));
    expect(seen).toEqual(["DELETE /v1/x"]);
  });
});
