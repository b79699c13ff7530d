// Owns fetch for addresses that users name, as the openai package calls it: the rules of outbound.ts, with a streamed body.
// Must not follow redirects or know what it carries.
import { Buffer } from "node:buffer";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { env } from "../env.ts";
import { failAtUpgrade, isOutdated, makeConnections, unusableStatus } from "./connections.ts";
import { checkAddress, headersOf, isAllowedPlace } from "./outbound.ts";

/** Between the questions of a chat. A model may be asked twice: its answer changes nothing. */
const route = makeConnections(60_000);

/** Statuses without a body. The Response constructor throws if it gets one for them. */
const bodiless = new Set([204, 205, 304]);

/** A proxy before the service may compress, since the request does not rule it out. */
const decompressions = new Map([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * Returns a fetch that calls the public internet over TLS, and the named places.
 * @param places host:port, comma-separated, in addition to PARLEY_OUTBOUND_ALLOW; plain HTTP and private addresses are allowed there
 */
export function fetchWithin(places = ""): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const allowed = `${env().PARLEY_OUTBOUND_ALLOW},${places}`;
    checkAddress(url, allowed);
    if (init?.body !== undefined && init.body !== null && typeof init.body !== "string") {
      throw new TypeError("only text is sent");
    }
    return await exchange(url, init ?? {}, isAllowedPlace(url, allowed));
  };
}

function exchange(url: URL, init: RequestInit, isAllowed: boolean, isFresh = false): Promise<Response> {
  const { body, signal } = init;
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = Object.fromEntries(new Headers(init.headers));
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let isAnswered = false;
    const call = open(
      url,
      {
        method: init.method ?? "GET",
        signal: signal ?? undefined,
        ...route(url, isAllowed, isFresh),
        headers: {
          ...headers,
          ...(typeof body === "string" ? { "content-length": String(Buffer.byteLength(body)) } : {}),
        },
      },
      (answer) => {
        isAnswered = true;
        const status = answer.statusCode ?? 502;
        // The Response constructor takes no other, and what it throws here would end the process.
        if (status < 200 || status > 599) {
          answer.destroy();
          return reject(unusableStatus(status));
        }
        const isBodiless = bodiless.has(status);
        if (isBodiless) answer.resume();
        resolve(
          new Response(isBodiless ? null : streamOf(bodyOf(answer)), {
            status,
            headers: headersOf(answer.headers),
          }),
        );
      },
    );
    failAtUpgrade(call, reject);
    call.on("error", (error) => {
      if (signal?.aborted) reject(signal.reason);
      else if (isAnswered || !isOutdated(call, error)) reject(error);
      else resolve(exchange(url, init, isAllowed, true));
    });
    call.end(body ?? undefined);
  });
}

function bodyOf(answer: IncomingMessage): Readable {
  const decompress = decompressions.get(answer.headers["content-encoding"]?.toLowerCase() ?? "");
  // The stream itself reports its errors.
  return decompress ? pipeline(answer, decompress(), () => {}) : answer;
}

/** Streams the bytes of an answer. Cancelling closes the connection. */
function streamOf(answer: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (finish: () => void) => {
        if (!isOver) finish();
        isOver = true;
      };
      answer.on("data", (part: Buffer) => {
        if (isOver) return;
        controller.enqueue(new Uint8Array(part));
        if ((controller.desiredSize ?? 1) <= 0) answer.pause();
      });
      answer.on("end", () => end(() => controller.close()));
      answer.on("error", (error) => end(() => controller.error(error)));
      answer.on("close", () => end(() => controller.error(new Error("the answer broke off"))));
    },
    pull: () => void answer.resume(),
    cancel: () => {
      isOver = true;
      answer.destroy();
    },
  });
}
