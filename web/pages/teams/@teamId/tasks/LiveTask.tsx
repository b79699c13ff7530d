// A running task with its live progress, starting from the server's data. Server only.
import { type Task, taskKey } from "#web/client/task-state.ts";
import type { TaskProgressProps } from "#web/islands/TaskProgress.tsx";
import { Island } from "#web/render/island.tsx";
import type { Json } from "#web/render/island-root.tsx";
import { useRequest } from "#web/render/render-context.tsx";

export function LiveTask({ task, link }: { task: Task; link?: TaskProgressProps["link"] }) {
  const { url } = useRequest();
  return (
    <Island<TaskProgressProps>
      name="TaskProgress"
      props={{
        teamId: task.teamId,
        taskId: task.id,
        // Includes the query: the content next to the task stays when it ends.
        address: url.pathname + url.search,
        link,
      }}
      seed={[{ key: taskKey(task.id), data: JSON.parse(JSON.stringify(task)) as Json }]}
    />
  );
}
