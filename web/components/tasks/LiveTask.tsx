// A task that goes on, as far as it is and in words, with what the server knows of it already. Server only.
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
        // With its question: what is shown beside it stays when the work ends.
        address: url.pathname + url.search,
        href,
      }}
      seed={[{ key: taskKey(task.id), data: JSON.parse(JSON.stringify(task)) as Json }]}
    />
  );
}
