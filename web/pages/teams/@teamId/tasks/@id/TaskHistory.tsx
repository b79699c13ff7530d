// Every attempt of a task: its start, its duration, its outcome and its message. Server only.
import { useTranslation } from "#translations";
import type { Task } from "#web/client/task-state.ts";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { Duration } from "#web/ui/Duration.tsx";
import { Status } from "#web/ui/Status.tsx";

export function TaskHistory({ task }: { task: Task }) {
  const { t } = useTranslation("tasks");
  const { history = [] } = task;
  if (history.length === 0) return null;
  return (
    <section aria-labelledby="task-history" className="mt-8">
      <h2 id="task-history" className="mb-2 font-medium text-lg">
        {t("history.title")}
      </h2>
      <DataTable
        caption={t("history.title")}
        rows={history.toReversed()}
        rowKey={({ number }) => String(number)}
        columns={[
          {
            key: "attempt",
            header: t("history.attempt"),
            cell: ({ number, message, error, finishedAt }) => (
              <span className="block min-w-0">
                <span className="block font-medium tabular-nums">{t("history.number", { number })}</span>
                <span className={`block break-words text-sm ${error ? "text-bad" : "text-muted"}`}>
                  {finishedAt ? (error ?? message) : task.message}
                </span>
              </span>
            ),
          },
          {
            key: "status",
            header: t("history.ended"),
            cell: ({ status }) => <Status value={status} />,
          },
          {
            key: "took",
            header: t("history.took"),
            align: "right",
            cell: ({ startedAt, finishedAt }) =>
              finishedAt ? <Duration from={startedAt} to={finishedAt} /> : "–",
          },
          {
            key: "started",
            header: t("started"),
            align: "right",
            minor: true,
            cell: ({ startedAt }) => <DateCell value={startedAt} />,
          },
        ]}
      />
    </section>
  );
}
