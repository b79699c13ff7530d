// Owns the HTTP endpoint: POST / runs one tick. Knows nothing about tasks.
import { log } from "../_shared/operation/log.ts";
import { knownMethod, noteRequest } from "../_shared/operation/request-log.ts";
import { wordsOf } from "../_shared/requests/errors.ts";
import { isFromService, onlyService } from "../_shared/requests/platform-keys.ts";
import { requestIdOf, withinRequest } from "../_shared/requests/request-context.ts";
import type { TickResult } from "./tick.ts";

export interface ServerParts {
  tick: () => Promise<TickResult>;
  /** Calls this function again after the response, on hosts that allow it. */
  callAgain?: () => void;
}

/** No route: the request is not logged. */
type Answer = { response: Response; route?: string };

export function handler(parts: ServerParts): (request: Request) => Promise<Response> {
  return (request) => {
    const start = performance.now();
    const requestId = requestIdOf(request.headers);
    return withinRequest({ requestId }, async () => {
      const { response, route } = await answerTo(request, requestId);
      if (route) {
        noteRequest({
          process: "indexing",
          method: knownMethod(request.method),
          route,
          status: response.status,
          ms: performance.now() - start,
        });
      }
      return response;
    });
  };

  async function answerTo(request: Request, requestId: string): Promise<Answer> {
    const path = new URL(request.url).pathname.replace(/^(?:\/functions\/v1)?\/indexing(?=\/|$)/, "") || "/";
    const refuse = (status: number, code: string, message: string): Answer => ({
      response: answer(status, { code, message, requestId }, requestId),
      route: path === "/" ? "/indexing" : "/indexing/*",
    });
    if (path !== "/") return refuse(404, "NOT_FOUND", wordsOf("NOT_FOUND"));
    if (request.method !== "POST") return refuse(405, "METHOD_NOT_ALLOWED", "Send a POST.");
    if (!isFromService(request.headers)) {
      return refuse(401, "NOT_AUTHENTICATED", onlyService);
    }
    await request.body?.cancel();
    try {
      const result = await parts.tick();
      if (result.more && result.claimed > 0) parts.callAgain?.();
      // The schedule calls every few seconds. Ticks that claim nothing are not logged.
      return {
        response: answer(200, result, requestId),
        route: result.claimed > 0 ? "/indexing" : undefined,
      };
    } catch (error) {
      log("error", "a tick failed", {
        error: error instanceof Error ? error.message : String(error),
      });
      return refuse(503, "UNAVAILABLE", "The database cannot be reached. Try again in a moment.");
    }
  }
}

function answer(status: number, body: unknown, requestId: string): Response {
  return Response.json(body, { status, headers: { "X-Request-Id": requestId } });
}
