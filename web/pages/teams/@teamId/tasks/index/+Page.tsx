// The team's running and finished tasks, with their progress.
import { ListTodo } from "lucide-react";
import { useTranslation } from "#translations";
import type { Task } from "#web/client/task-state.ts";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { CursorPagination } from "#web/ui/CursorPagination.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { Duration } from "#web/ui/Duration.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { LiveTask } from "../LiveTask.tsx";
import { type TasksData, taskFilters } from "./+data.ts";
import { TaskFilters } from "./TaskFilters.tsx";

export function Page() {
  const { t } = useTranslation("tasks");
  const request = useRequest();
  const { data: tasks, lastKey, atWork, isFiltered, names } = useData<TasksData>();
  const linkTo = (task: Task) => ({
    href: teamPath(request, `tasks/${task.id}`),
    name: [t(`type.${task.type}`), names[task.knowledgeId ?? task.sourceId ?? ""]]
      .filter(Boolean)
      .join(" · "),
  });
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      {atWork.length > 0 && (
        <section aria-labelledby="at-work" className="mb-8">
          <h2 id="at-work" className="mb-3 font-medium text-lg">
            {t("atWork")}
          </h2>
          <ul className="space-y-4">
            {atWork.map((task) => (
              <li key={task.id}>
                <LiveTask task={task} link={linkTo(task)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {(tasks.length > 0 || isFiltered) && <TaskFilters names={taskFilters} />}
      {tasks.length === 0 ? (
        <EmptyState
          icon={<ListTodo />}
          title={t(isFiltered ? "filter.none" : "emptyTitle")}
          action={isFiltered && <Button href={request.url.pathname}>{t("app:filter.clear")}</Button>}
        >
          {!isFiltered && t("emptyText")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={tasks}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "type",
              header: t("task"),
              cell: (task) => (
                <RowLink
                  href={linkTo(task).href}
                  title={linkTo(task).name}
                  detail={task.error ?? task.message}
                  isBad={task.error !== null}
                />
              ),
            },
            { key: "status", header: t("status"), cell: ({ status }) => <Status value={status} /> },
            {
              key: "took",
              header: t("history.took"),
              align: "right",
              minor: true,
              cell: ({ startedAt, finishedAt }) =>
                startedAt && finishedAt ? <Duration from={startedAt} to={finishedAt} /> : "–",
            },
            {
              key: "progress",
              header: t("progress"),
              align: "right",
              minor: true,
              cell: ({ progress: { done, total } }) =>
                total > 0 ? `${String(done)} / ${String(total)}` : "–",
            },
            {
              key: "created",
              header: t("queued"),
              align: "right",
              minor: true,
              cell: ({ createdAt }) => <DateCell value={createdAt} />,
            },
          ]}
        />
      )}
      <CursorPagination lastKey={lastKey} />
    </>
  );
}
