// A task's live progress, as a bar and a message. When the task ends, the page is refreshed to show the result.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "#translations";
import { getApi } from "../client/call-api.ts";
import { visit } from "../client/page.ts";
import { Queries } from "../client/queries.tsx";
import { isOpen, readTask, taskKey } from "../client/task-state.ts";
import { ownTimeZone } from "../client/time-zone.ts";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { Status } from "../ui/Status.tsx";

export interface TaskProgressProps {
  teamId: string;
  taskId: string;
  /** Address of the page, to refresh it. */
  address: string;
  /** The task's own page and name, when this is another page. */
  link?: { href: string; name: string };
}

TaskProgress.namespaces = ["tasks", "app"];
TaskProgress.provider = Queries;

const POLL_MS = 1000;

export function TaskProgress({ teamId, taskId, address, link }: TaskProgressProps) {
  const { t } = useTranslation("tasks");
  const { data: task } = useQuery({
    queryKey: taskKey(taskId),
    queryFn: () => readTask(getApi, teamId, taskId, ownTimeZone()),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? POLL_MS : false),
  });
  const hasEnded = task !== undefined && (task === null || !isOpen(task));
  useEffect(() => {
    if (hasEnded) visit(address);
  }, [hasEnded, address]);
  if (!task) return null;
  return (
    <div className="flex items-start gap-6" aria-live="polite">
      <div className="min-w-0 flex-1">
        {link && (
          <a href={link.href} className="mb-1.5 block truncate rounded-sm font-medium hover:underline">
            {link.name}
          </a>
        )}
        <ProgressBar {...task.progress} label={link?.name ?? t(`type.${task.type}`)}>
          {task.message}
        </ProgressBar>
      </div>
      <span className="text-sm">
        <Status value={task.status} />
      </span>
    </div>
  );
}
