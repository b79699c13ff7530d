// What became of the team's first files, if there were any.
import { type FirstSteps, readFirstSteps } from "../../browser/first-steps.ts";
import type { DataContext } from "../../renderer/page-definition.ts";

/** Null for somebody without a team, whose first step is to have one. */
export async function data({ request }: DataContext): Promise<FirstSteps | null> {
  const { team } = await request.viewer;
  return team && (await readFirstSteps(request.api.get, team.id, request.timeZone));
}
