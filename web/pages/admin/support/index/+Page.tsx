// Support tickets, newest first.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { AdminFilters } from "../../AdminFilters.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { AdminTable } from "../../AdminTable.tsx";
import type { SupportData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, ...pages } = useData<SupportData>();
  return (
    <>
      <AdminHead list="support" />
      <AdminFilters
        rows={rows}
        search="search"
        choices={[
          {
            name: "status",
            label: t("field.status"),
            options: ["open", "closed"].map((status) => ({ value: status, label: t(`ticket.${status}`) })),
          },
        ]}
      />
      <AdminTable
        list="support"
        rows={rows}
        rowKey={({ id }) => id}
        pages={pages}
        columns={[
          {
            key: "subject",
            header: t("field.subject"),
            cell: (row) => (
              <a href={`/admin/support/${row.id}`} className="block min-w-0 rounded-sm">
                <span className="block truncate font-medium">{row.subject}</span>
                <span className="block truncate text-muted text-sm">{row.email}</span>
              </a>
            ),
          },
          {
            key: "status",
            header: t("field.status"),
            cell: ({ status }) => (
              <Badge tone={status === "open" ? "careful" : "neutral"}>{t(`ticket.${status}`)}</Badge>
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
