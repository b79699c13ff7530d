// Every team's API keys.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { ApiKeysData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, teamNames, ...pages } = useData<ApiKeysData>();
  return (
    <>
      <AdminHead list="apiKeys" />
      <AdminFilters rows={rows} search="name" team />
      <AdminTable
        list="apiKeys"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "name",
            header: t("field.name"),
            cell: (row) => (
              <a href={`/admin/apiKeys/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-muted text-sm">{row.prefix}</span>
              </a>
            ),
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
          {
            key: "lastUsed",
            header: t("field.lastUsed"),
            align: "right",
            minor: true,
            cell: (row) => (
              <span className="text-muted">{row.lastUsedAt ? <DateTime value={row.lastUsedAt} /> : "–"}</span>
            ),
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
