// Owns the platform admins' calls for every team. `role` is the platform admin's own in the team: null where they are no member.
import { router } from "../router.ts";
import { teamCalls } from "../teams/routes.ts";
import { samePath } from "./every-team.ts";

const { list, create, read, update, remove } = teamCalls;

/** Mounted at /v1/admin/teams. */
export const adminTeams = router()
  .openapi(...samePath(list, { path: "/", summary: "List every team" }))
  .openapi(
    ...samePath(create, {
      path: "/",
      summary: "Make a team",
      description: "Makes a team with the calling platform admin as its owner.",
    }),
  )
  .openapi(...samePath(read, { path: "/{id}", summary: "Read any team" }))
  .openapi(...samePath(update, { path: "/{id}", summary: "Change any team" }))
  .openapi(
    ...samePath(remove, {
      path: "/{id}",
      summary: "Delete any team",
      description: "Deletes the team with everything in it.",
    }),
  );
