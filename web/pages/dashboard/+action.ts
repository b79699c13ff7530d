// Stops a task from the dashboard.
import { readTask } from "../../client/task-state.ts";
import type { Action } from "../../render/action.ts";
import { currentTeam } from "../../request/current-team.ts";
import { formText } from "../../request/form-text.ts";
import { stopTask } from "../teams/@teamId/tasks/stop-task.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id: teamId } = currentTeam(request);
  const task = await readTask(request.api.get, teamId, formText(form, "task"));
  await stopTask(request.api, teamId, task);
  return { redirect: "/dashboard", toast: { title: t("tasks:stopping") } };
};
