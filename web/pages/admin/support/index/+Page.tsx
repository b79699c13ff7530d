// Support tickets, newest first.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { AdminListPage } from "../../AdminListPage.tsx";
import type { SupportData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { data: rows, ...pages } = useData<SupportData>();
  return (
    <AdminListPage
      list="support"
      rows={rows}
      pages={pages}
      search="search"
      choices={[
        {
          name: "status",
          label: t("field.status"),
          options: ["open", "closed"].map((status) => ({ value: status, label: t(`ticket.${status}`) })),
        },
      ]}
      columns={[
        {
          key: "subject",
          header: t("field.subject"),
          cell: (row) => <RowLink href={`/admin/support/${row.id}`} title={row.subject} detail={row.email} />,
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
          cell: (row) => <DateCell value={row.createdAt} />,
        },
      ]}
    />
  );
}
