// Stops a task from the dashboard.
import { readTask } from "../../browser/task-state.ts";
import type { Action } from "../../renderer/action.ts";
import { currentTeam } from "../../server/current-team.ts";
import { formText } from "../../server/form-text.ts";
import { stopTask } from "../teams/@teamId/tasks/stop-task.ts";

export const action: Action = async ({ request, form, t }) => {
  const { id: teamId } = currentTeam(request);
  const task = await readTask(request.api.get, teamId, formText(form, "task"));
  await stopTask(request.api, teamId, task);
  return { redirect: "/dashboard", toast: { title: t("tasks:stopping") } };
};
