// Owns the /v1 application: what happens to every request, and which router answers where. Must not hold a resource's rules.
import { cors } from "hono/cors";
import { anonymous, authenticate } from "../_shared/auth.ts";
import { compressAnswers } from "../_shared/compression.ts";
import { observe } from "../_shared/observe.ts";
import { admin } from "./admin/routes.ts";
import { publicAgents, teamAgents } from "./agents/routes.ts";
import { teamApiKeys } from "./api-keys/routes.ts";
import { teamApps } from "./apps/routes.ts";
import { integration } from "./apps/slack.ts";
import { auth } from "./auth/routes.ts";
import { beta } from "./beta/routes.ts";
import { limitBody } from "./bodies.ts";
import { agentChats, chats, teamChats } from "./chats/routes.ts";
import { dashboard } from "./dashboard/routes.ts";
import { documents } from "./documents/routes.ts";
import { files } from "./files/routes.ts";
import { health } from "./health/routes.ts";
import { idempotency } from "./idempotency.ts";
import { insights } from "./insights/routes.ts";
import { records } from "./knowledges/records.ts";
import { knowledges } from "./knowledges/routes.ts";
import { mcp } from "./mcp/routes.ts";
import { passages } from "./messages/passages.ts";
import { messages } from "./messages/routes.ts";
import { addDescription } from "./openapi.ts";
import { methodNotAllowed, renderError } from "./problems.ts";
import { limitAddresses, limitCallers } from "./request-counts.ts";
import { roles } from "./roles/routes.ts";
import { router } from "./router.ts";
import { snsHooks } from "./sns/routes.ts";
import { connecting } from "./sources/connecting.ts";
import { sources } from "./sources/routes.ts";
import { openAiErrors, speaksOpenAi } from "./streams/openai-errors.ts";
import { openAi, streams } from "./streams/routes.ts";
import { support } from "./support/routes.ts";
import { tasks } from "./tasks/routes.ts";
import { teamUsers } from "./team-users/routes.ts";
import { teams } from "./teams/routes.ts";
import { users } from "./users/routes.ts";
import { vectors } from "./vectors/routes.ts";
import { viewer } from "./viewer/routes.ts";

const base = router().basePath("/v1");

base.use("*", observe("v1"));
base.use("*", compressAnswers(["gzip"]));
// Bearer tokens alone open anything, so any origin may ask; cookies are never taken.
base.use("*", cors({ origin: "*", exposeHeaders: ["X-Request-Id", "Retry-After"], maxAge: 86_400 }));
base.use("*", async (c, next) => {
  c.set("arrivedAt", performance.now());
  c.header("X-Request-Id", c.get("requestId"));
  c.header("Cache-Control", "no-store");
  await next();
});
base.use("*", limitAddresses);
base.use("*", limitBody);
/** Calls that ask for no account take no notice of a token, not even of one that has expired. */
const withoutCaller =
  /^\/v1\/(auth\/(?!me$|token$|password$|sessions(\/|$))|health\/public$|openapi\.json$|docs$|beta$|sns\/)/;
base.use("*", async (c, next) => {
  if (withoutCaller.test(c.req.path)) {
    c.set("caller", anonymous);
    return await next();
  }
  c.set("caller", await authenticate(c.req.raw.headers));
  await next();
});
base.use("*", limitCallers);
base.use("*", idempotency);

export const app = base
  .route("/admin", admin)
  .route("/health", health)
  .route("/auth", auth)
  .route("/viewer", viewer)
  .route("/dashboard", dashboard)
  .route("/users", users)
  .route("/teams", teams)
  .route("/teamUsers", teamUsers)
  .route("/roles", roles)
  .route("/beta", beta)
  .route("/support", support)
  .route("/sns", snsHooks())
  .route("/vectors", vectors)
  .route("/teams", teamApiKeys)
  .route("/teams", teamAgents)
  .route("/teams", teamApps)
  .route("/integration", integration)
  .route("/teams", files)
  .route("/teams", knowledges)
  .route("/teams", records)
  .route("/teams", documents)
  .route("/teams", sources)
  .route("/teams", connecting)
  .route("/teams", tasks)
  .route("/teams", teamChats)
  .route("/teams", insights)
  .route("/chats", chats)
  .route("/mcp", mcp)
  .route("/chats", messages)
  .route("/chats", passages)
  .route("/streams/openai", openAi)
  .route("/streams", streams)
  .route("/agents", agentChats)
  .route("/agents", publicAgents);

addDescription(app);
app.onError((error, c) => (speaksOpenAi(c.req.path) ? openAiErrors : renderError)(error, c));
app.notFound(methodNotAllowed(app));

/** The API's type, for the typed client. */
export type Api = typeof app;
