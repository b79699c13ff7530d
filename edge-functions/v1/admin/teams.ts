// Owns the platform admins' endpoints for every team. `role` is the platform admin's own role in the team: null if they are not a member.
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
      summary: "Create a team",
      description: "The calling platform admin becomes its owner.",
    }),
  )
  .openapi(...samePath(read, { path: "/{id}", summary: "Read any team" }))
  .openapi(...samePath(update, { path: "/{id}", summary: "Update any team" }))
  .openapi(
    ...samePath(remove, {
      path: "/{id}",
      summary: "Delete any team",
      description: "Deletes the team and all its data.",
    }),
  );
