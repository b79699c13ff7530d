// Every account.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import { useColumns } from "../../AdminTable.tsx";
import type { UsersData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { date } = useColumns();
  const { data: rows, ...pages } = useData<UsersData>();
  return (
    <AdminListPage
      list="users"
      rows={rows}
      pages={pages}
      search="search"
      columns={[
        {
          key: "name",
          header: t("field.name"),
          cell: (row) => <RowLink href={`/admin/users/${row.id}`} title={row.name} detail={row.email} />,
        },
        {
          key: "flags",
          header: t("field.status"),
          isWhole: true,
          cell: (row) => (
            <span className="flex flex-wrap gap-1.5">
              {row.isAdmin && <Badge tone="accent">{t("user.badge")}</Badge>}
              {row.banned && <Badge tone="bad">{t("user.banned")}</Badge>}
            </span>
          ),
        },
        date("created"),
      ]}
    />
  );
}
