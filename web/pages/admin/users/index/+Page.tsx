// Every account.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import type { UsersData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, ...pages } = useData<UsersData>();
  return (
    <>
      <AdminHead list="users" />
      <AdminFilters rows={rows} search="search" />
      <AdminTable
        list="users"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "name",
            header: t("field.name"),
            cell: (row) => (
              <a href={`/admin/users/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-muted text-sm">{row.email}</span>
              </a>
            ),
          },
          {
            key: "flags",
            header: t("field.status"),
            cell: (row) => (
              <span className="flex flex-wrap gap-1.5">
                {row.isAdmin && <Badge tone="accent">{t("user.badge")}</Badge>}
                {row.banned && <Badge tone="bad">{t("user.banned")}</Badge>}
              </span>
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
