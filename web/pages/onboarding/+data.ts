// The progress of the team's first files, if any.

import type { DataContext } from "../../render/page-definition.ts";
import { type FirstSteps, readFirstSteps } from "./first-steps.ts";

/** Null for a user without a team, whose first step is to create one. */
export async function data({ request }: DataContext): Promise<FirstSteps | null> {
  const { team } = await request.viewer;
  return team && (await readFirstSteps(request.api.get, team.id, request.timeZone));
}
