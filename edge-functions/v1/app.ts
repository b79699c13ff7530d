// Owns the /v1 application: its middleware and the mount point of every router. Must not hold a resource's rules.
import { cors } from "hono/cors";
import { observe } from "../_shared/operation/observe.ts";
import { anonymous, authenticate } from "../_shared/requests/auth.ts";
import { compressAnswers } from "../_shared/requests/compression.ts";
import { admit } from "./access.ts";
import { admin } from "./admin/routes.ts";
import { agentTests } from "./agent-tests/routes.ts";
import { agentTestRuns } from "./agent-tests/run-routes.ts";
import { agentVersions } from "./agent-versions/routes.ts";
import { publicAgents, teamAgents } from "./agents/routes.ts";
import { teamApiKeys } from "./api-keys/routes.ts";
import { teamApps } from "./apps/routes.ts";
import { integration } from "./apps/slack.ts";
import { email } from "./auth/email-routes.ts";
import { auth } from "./auth/routes.ts";
import { beta } from "./beta/routes.ts";
import { limitBody } from "./bodies.ts";
import { agentChats, chats, teamChats } from "./chats/routes.ts";
import { dashboard } from "./dashboard/routes.ts";
import { documents } from "./documents/routes.ts";
import { files } from "./files/routes.ts";
import { fileVersions } from "./files/version-routes.ts";
import { gaps } from "./gaps/routes.ts";
import { chatHandovers, teamHandovers } from "./handovers/routes.ts";
import { health } from "./health/routes.ts";
import { idempotency } from "./idempotency.ts";
import { insights } from "./insights/routes.ts";
import { records } from "./knowledges/records.ts";
import { knowledges } from "./knowledges/routes.ts";
import { mcp } from "./mcp/routes.ts";
import { evidenceOf } from "./messages/evidence.ts";
import { passages } from "./messages/passages.ts";
import { messages } from "./messages/routes.ts";
import { models } from "./models/routes.ts";
import { onboardings } from "./onboardings/routes.ts";
import { addDescription } from "./openapi.ts";
import { methodNotAllowed, renderError } from "./problems.ts";
import { qaEntries } from "./qa-entries/routes.ts";
import { limitAddresses, limitCallers } from "./request-counts.ts";
import { roles } from "./roles/routes.ts";
import { findDeclaration } from "./route.ts";
import { router } from "./router.ts";
import { teamSearch } from "./search/routes.ts";
import { snsHooks } from "./sns/routes.ts";
import { connecting } from "./sources/connecting.ts";
import { sources } from "./sources/routes.ts";
import { sourceTypes } from "./sources/source-types.ts";
import { openAiErrors } from "./streams/openai-errors.ts";
import { openAi, streams } from "./streams/routes.ts";
import { support } from "./support/routes.ts";
import { tasks } from "./tasks/routes.ts";
import { teamUsers } from "./team-users/routes.ts";
import { teams } from "./teams/routes.ts";
import { LEFT_OUT_HEADER, UNDO_HEADER } from "./undoing.ts";
import { users } from "./users/routes.ts";
import { vectors } from "./vectors/routes.ts";
import { viewer } from "./viewer/routes.ts";

const base = router().basePath("/v1");

// Its clients read OpenAI's error object wherever a call fails, at an unknown path, too.
base.use("/streams/openai/*", async (c, next) => {
  c.set("tellFailure", openAiErrors);
  await next();
});
base.use("*", observe("v1"));
base.use("*", compressAnswers(["gzip"]));
// Any origin may call: only bearer tokens give access, and cookies are never read. The package answers the preflights alone: a header that
// it sets before the handler runs makes Hono copy every response, and turn its text into a stream.
const exposed = ["X-Request-Id", "Retry-After", UNDO_HEADER, LEFT_OUT_HEADER];
base.options("*", cors({ origin: "*", exposeHeaders: exposed, maxAge: 86_400 }));
base.use("*", async (c, next) => {
  c.set("arrivedAt", performance.now());
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Expose-Headers", exposed.join(","));
  c.header("X-Request-Id", c.get("requestId"));
  c.header("Cache-Control", "no-store");
  await next();
});
base.use("*", findDeclaration(base));
base.use("*", limitAddresses);
base.use("*", async (c, next) => {
  const { access } = c.var.route;
  c.set("caller", access === "open" ? anonymous : await authenticate(c.req.raw.headers));
  await admit(access, c);
  await next();
});
base.use("*", limitCallers);
base.use("*", limitBody);
base.use("*", idempotency);

export const app = base
  .route("/admin", admin)
  .route("/health", health)
  .route("/auth", auth)
  .route("/auth", email)
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
  .route("/teams", agentVersions)
  .route("/teams", agentTestRuns)
  .route("/teams", agentTests)
  .route("/teams", teamApps)
  .route("/integration", integration)
  .route("/teams", files)
  .route("/teams", fileVersions)
  .route("/teams", knowledges)
  .route("/teams", records)
  .route("/teams", documents)
  .route("/sourceTypes", sourceTypes)
  .route("/teams", sources)
  .route("/teams", qaEntries)
  .route("/teams", connecting)
  .route("/teams", tasks)
  .route("/teams", teamChats)
  .route("/teams", insights)
  .route("/teams", gaps)
  .route("/teams", models)
  .route("/teams", onboardings)
  .route("/teams", teamSearch)
  .route("/teams", teamHandovers)
  .route("/chats", chatHandovers)
  .route("/chats", chats)
  .route("/mcp", mcp)
  .route("/chats", messages)
  .route("/chats", passages)
  .route("/chats", evidenceOf)
  .route("/streams/openai", openAi)
  .route("/streams", streams)
  .route("/agents", agentChats)
  .route("/agents", publicAgents);

addDescription(app);
app.onError((error, c) => (c.var.tellFailure ?? renderError)(error, c));
app.notFound(methodNotAllowed(app));

/** The API's type, for the typed client. */
export type Api = typeof app;
