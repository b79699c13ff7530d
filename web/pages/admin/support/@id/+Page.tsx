// One support ticket as submitted.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { Facts } from "../../Facts.tsx";
import type { SupportDetailData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { row } = useData<SupportDetailData>();
  return (
    <>
      <AdminHead
        list="support"
        name={row.subject}
        mark={<Badge tone={row.status === "open" ? "careful" : "neutral"}>{t(`ticket.${row.status}`)}</Badge>}
        actions={
          <>
            <Button href={`mailto:${row.email}?subject=${encodeURIComponent(`Re: ${row.subject}`)}`}>
              {t("ticket.answer")}
            </Button>
            <Form name={row.status === "open" ? "close" : "open"} className="">
              <Button variant="primary">{t(row.status === "open" ? "ticket.close" : "ticket.reopen")}</Button>
            </Form>
          </>
        }
      />
      <Facts
        facts={[
          [
            t("field.from"),
            row.userId ? (
              <a key="user" href={`/admin/users/${row.userId}`} className="hover:underline">
                {row.name ?? row.email}
              </a>
            ) : (
              (row.name ?? "–")
            ),
          ],
          [t("field.email"), row.email],
          [t("field.created"), <DateTime key="created" value={row.createdAt} />],
        ]}
      />
      <p className="max-w-2xl whitespace-pre-wrap break-words border-line border-t pt-6">{row.message}</p>
    </>
  );
}
