// Every team's API keys.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { ApiKeysData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date } = useColumns();
  const { data: rows, teamNames, ...pages } = useData<ApiKeysData>();
  return (
    <AdminListPage
      list="apiKeys"
      rows={rows}
      pages={pages}
      search="name"
      team
      columns={[
        {
          key: "name",
          header: t("field.name"),
          cell: (row) => <RowLink href={`/admin/apiKeys/${row.id}`} title={row.name} detail={row.prefix} />,
        },
        {
          key: "team",
          header: t("field.team"),
          cell: (row) => <TeamLink id={row.teamId} names={teamNames} />,
        },
        {
          key: "createdBy",
          header: t("field.createdBy"),
          minor: true,
          cell: (row) => <span className="block max-w-40 truncate">{row.createdBy?.name ?? "–"}</span>,
        },
        date("lastUsed"),
        date("created"),
      ]}
    />
  );
}
