// One task: its progress, what it waits for, its outcome, and related tasks.
import { RotateCcw, Square } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { isOpen } from "#web/client/task-state.ts";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Duration } from "#web/ui/Duration.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Status } from "#web/ui/Status.tsx";
import { LiveTask } from "../LiveTask.tsx";
import type { TaskData } from "./+data.ts";
import { FailedDocuments } from "./FailedDocuments.tsx";
import { TaskHistory } from "./TaskHistory.tsx";

export function Page() {
  const { t } = useTranslation("tasks");
  const request = useRequest();
  const { task, about, others, failed, moreFailed, mayAct, mayRetry } = useData<TaskData>();
  const open = isOpen(task);
  return (
    <div className="max-w-3xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("title"), href: teamPath(request, "tasks") },
          { label: t(`type.${task.type}`) },
        ]}
        title={t(`type.${task.type}`)}
        mark={<Status value={task.status} />}
        actions={
          mayAct &&
          task.status !== "stopping" && (
            <Form name={open ? "stop" : "again"}>
              {open ? (
                <Button icon={<Square aria-hidden className="size-4" />}>{t("stop")}</Button>
              ) : (
                <Button icon={<RotateCcw aria-hidden className="size-4" />}>{t("again")}</Button>
              )}
            </Form>
          )
        }
      >
        {task.message}
      </PageHeader>
      {task.error && (
        <div className="mb-6">
          <Alert tone="bad" title={t("failed")}>
            {task.error}
          </Alert>
        </div>
      )}
      {open && (
        <div className="mb-8">
          <LiveTask task={task} />
        </div>
      )}
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 border-line border-y py-5 sm:grid-cols-3">
        <Fact name={t("about")}>
          {about && (
            <a href={about.href} className="rounded-sm underline">
              {about.name}
            </a>
          )}
        </Fact>
        <Fact name={t("progress")}>
          {task.progress.total > 0 && `${task.progress.done} / ${task.progress.total}`}
        </Fact>
        <Fact name={t("attempts")}>{String(task.attempts)}</Fact>
        <Fact name={t("queued")}>
          <DateTime value={task.createdAt} />
        </Fact>
        <Fact name={t("started")}>{task.startedAt && <DateTime value={task.startedAt} />}</Fact>
        <Fact name={t("history.took")}>
          {task.startedAt && task.finishedAt && <Duration from={task.startedAt} to={task.finishedAt} />}
        </Fact>
      </dl>
      <FailedDocuments documents={failed} more={moreFailed} mayRetry={mayRetry} />
      <TaskHistory task={task} />
      {others.length > 0 && (
        <section aria-labelledby="other-tasks" className="mt-8">
          <h2 id="other-tasks" className="mb-3 font-medium text-lg">
            {t("others")}
          </h2>
          <ul className="divide-y divide-line border-line border-y">
            {others.map((other) => (
              <li key={other.id} className="flex items-start gap-4 py-2.5">
                <div className="min-w-0 flex-1">
                  <a href={teamPath(request, `tasks/${other.id}`)} className="rounded-sm hover:underline">
                    {t(`type.${other.type}`)}
                  </a>
                  <p className={`truncate text-sm ${other.error ? "text-bad" : "text-muted"}`}>
                    {other.error ?? other.message}
                  </p>
                </div>
                <span className="text-right text-sm">
                  <Status value={other.status} />
                  <span className="block text-muted">
                    <DateTime value={other.createdAt} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** An unknown value is a dash. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="truncate tabular-nums">{children || "–"}</dd>
    </div>
  );
}
