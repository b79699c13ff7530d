// Every team's tasks, newest first.
import { useTranslation } from "#translations";
import { taskStatuses, taskTypes } from "#web/pages/teams/@teamId/tasks/task-kinds.ts";
import { useData } from "#web/render/render-context.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import type { TasksData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date, team } = useColumns();
  const { data: rows, teamNames, ...pages } = useData<TasksData>();
  return (
    <AdminListPage
      list="tasks"
      rows={rows}
      pages={pages}
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
      columns={[
        {
          key: "type",
          header: t("field.task"),
          cell: (row) => (
            <RowLink
              title={t(`tasks:type.${row.type}`)}
              detail={row.error ?? row.message}
              isBad={row.error !== null}
            />
          ),
        },
        team(teamNames),
        { key: "status", header: t("field.status"), cell: (row) => <Status value={row.status} /> },
        {
          key: "attempts",
          header: t("field.attempts"),
          align: "right",
          minor: true,
          cell: (row) => row.attempts,
        },
        date("created"),
      ]}
    />
  );
}
