// A source's recent tasks and how each ended. Server only.
import { useTranslation } from "#translations";
import type { Task } from "#web/client/task-state.ts";
import { useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Status } from "#web/ui/Status.tsx";

export function SourceHistory({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation("sources");
  const request = useRequest();
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="source-history">
      <h2 id="source-history" className="mb-3 font-medium text-lg">
        {t("history")}
      </h2>
      <ul className="divide-y divide-line border-line border-y">
        {tasks.map((task) => (
          <li key={task.id} className="flex items-start gap-4 py-2.5">
            <div className="min-w-0 flex-1">
              <a href={teamPath(request, `tasks/${task.id}`)} className="rounded-sm hover:underline">
                {t(`tasks:type.${task.type}`)}
              </a>
              <p className={`text-sm ${task.error ? "text-bad" : "text-muted"}`}>
                {task.error ?? task.message}
              </p>
            </div>
            <span className="text-right text-sm">
              <Status value={task.status} />
              <span className="block text-muted">
                <DateTime value={task.createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
