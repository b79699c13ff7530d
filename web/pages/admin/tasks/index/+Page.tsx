// Every team's tasks, newest first.
import { useTranslation } from "#translations";
import { taskStatuses, taskTypes } from "#web/pages/teams/@teamId/tasks/task-kinds.ts";
import { useData } from "#web/render/render-context.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { TasksData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, teamNames, ...pages } = useData<TasksData>();
  return (
    <>
      <AdminHead list="tasks" />
      <AdminFilters
        rows={rows}
        team
        choices={[
          {
            name: "type",
            label: t("field.type"),
            options: taskTypes.map((type) => ({ value: type, label: t(`tasks:type.${type}`) })),
          },
          {
            name: "status",
            label: t("field.status"),
            options: taskStatuses.map((status) => ({ value: status, label: t(`app:status.${status}`) })),
          },
        ]}
      />
      <AdminTable
        list="tasks"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "type",
            header: t("field.task"),
            cell: (row) => (
              <span className="block min-w-0">
                <span className="block font-medium">{t(`tasks:type.${row.type}`)}</span>
                <span className={`block truncate text-sm ${row.error ? "text-bad" : "text-muted"}`}>
                  {row.error ?? row.message}
                </span>
              </span>
            ),
          },
          {
            key: "team",
            minor: true,
            header: t("field.team"),
            cell: (row) => <TeamLink id={row.teamId} names={teamNames} />,
          },
          { key: "status", header: t("field.status"), cell: (row) => <Status value={row.status} /> },
          {
            key: "attempts",
            header: t("field.attempts"),
            align: "right",
            minor: true,
            cell: (row) => row.attempts,
          },
          {
            key: "created",
            header: t("field.created"),
            align: "right",
            minor: true,
            cell: (row) => (
              <span className="text-muted">
                <DateTime value={row.createdAt} />
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
