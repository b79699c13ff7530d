// Every team's knowledge bases.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { KnowledgesData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, teamNames, ...pages } = useData<KnowledgesData>();
  return (
    <>
      <AdminHead list="knowledges" />
      <AdminFilters rows={rows} search="name" team />
      <AdminTable
        list="knowledges"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "name",
            header: t("field.name"),
            cell: (row) => (
              <a href={`/admin/knowledges/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-muted text-sm">{row.description}</span>
              </a>
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
            key: "documents",
            header: t("field.documents"),
            align: "right",
            minor: true,
            cell: (row) => row.documentsCount,
          },
          {
            key: "indexed",
            header: t("field.indexed"),
            align: "right",
            minor: true,
            cell: (row) => (
              <span className="text-muted">{row.indexedAt ? <DateTime value={row.indexedAt} /> : "–"}</span>
            ),
          },
        ]}
      />
    </>
  );
}
