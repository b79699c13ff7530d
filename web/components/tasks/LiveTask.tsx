// A running task with its live progress, starting from the server's data. Server only.
import { type Task, taskKey } from "../../browser/task-state.ts";
import type { TaskProgressProps } from "../../islands/TaskProgress.tsx";
import { Island } from "../../renderer/island.tsx";
import type { Json } from "../../renderer/island-root.tsx";
import { useRequest } from "../../renderer/render-context.tsx";

export function LiveTask({ task, href }: { task: Task; href?: string }) {
  const { url } = useRequest();
  return (
    <Island<TaskProgressProps>
      name="TaskProgress"
      props={{
        teamId: task.teamId,
        taskId: task.id,
        // Includes the query: the content next to the task stays when it ends.
        address: url.pathname + url.search,
        href,
      }}
      seed={[{ key: taskKey(task.id), data: JSON.parse(JSON.stringify(task)) as Json }]}
    />
  );
}
