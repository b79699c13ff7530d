// Owns the endpoints of a team's onboarding: its first files become a knowledge base and an agent, once.
import { asCallerThenService } from "../../_shared/database/db.ts";
import { askedTeam, inTeam, readInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import * as queries from "./queries.ts";
import { firstFiles, onboarding } from "./schema.ts";

const route = routes({ tags: ["Onboarding"] });

/** Mounted at /v1/teams. */
export const onboardings = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/onboarding",
      permission: "knowledges.read",
      summary: "Read a team's onboarding status",
      request: { params: inTeam },
      responses: { 200: json(onboarding) },
    }),
    async (c) => c.json(await readInTeam(c, queries.readOnboarding), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/onboarding",
      permission: "agents.write",
      summary: "Add a team's first files",
      description:
        "The first call creates a private agent with a knowledge base, both named after the team; later calls add files to it. After indexing, questions that the files answer are suggested.",
      request: { params: inTeam, body: jsonBody(firstFiles) },
      responses: { 200: json(onboarding) },
    }),
    async (c) => {
      const { caller } = c.var;
      const begun = await asCallerThenService(
        claimsOf(c),
        (tx, team) => queries.addFirstFiles(tx, team, c.req.valid("json")),
        async (tx, made) => {
          await queries.storeOnboarding(tx, made, caller.kind === "user" ? caller.id : null);
          return await queries.readOnboarding(tx, made.teamId);
        },
        askedTeam(c),
      );
      kickIndexing();
      return c.json(begun, 200);
    },
  );
