// The function's two doors: GET /health and POST / for one tick. Knows HTTP and nothing of tasks.
import { log } from "../_shared/log.ts";
import { isFromService } from "../_shared/platform-keys.ts";
import { requestIdOf, withinRequest } from "../_shared/request-context.ts";
import type { TickResult } from "./tick.ts";

export interface ServerParts {
  tick: () => Promise<TickResult>;
  /** Calls this function again after the answer, where the host offers a way to. */
  callAgain?: () => void;
}

export function handler(parts: ServerParts): (request: Request) => Promise<Response> {
  return (request) => {
    const requestId = requestIdOf(request.headers);
    return withinRequest({ requestId }, () => answerTo(request, requestId));
  };

  async function answerTo(request: Request, requestId: string): Promise<Response> {
    const path = new URL(request.url).pathname.replace(/^(?:\/functions\/v1)?\/indexing(?=\/|$)/, "") || "/";
    if (path === "/health") return answer(200, { status: "ok" }, requestId);
    if (path !== "/") return problem(404, "NOT_FOUND", "There is nothing here.", requestId);
    if (request.method !== "POST") return problem(405, "METHOD_NOT_ALLOWED", "Send a POST.", requestId);
    if (!isFromService(request.headers)) {
      return problem(401, "NOT_AUTHENTICATED", "Only the service may call this.", requestId);
    }
    await request.body?.cancel();
    try {
      const result = await parts.tick();
      if (result.more && result.claimed > 0) parts.callAgain?.();
      return answer(200, result, requestId);
    } catch (error) {
      log("error", "a tick failed", {
        error: error instanceof Error ? error.message : String(error),
      });
      return problem(503, "UNAVAILABLE", "The database cannot be reached. Try again in a moment.", requestId);
    }
  }
}

function problem(status: number, code: string, message: string, requestId: string): Response {
  return answer(status, { code, message, requestId }, requestId);
}

function answer(status: number, body: unknown, requestId: string): Response {
  return Response.json(body, { status, headers: { "X-Request-Id": requestId } });
}
