// A user's sessions, which can be ended one by one or all at once.
import { Laptop, Smartphone } from "lucide-react";
import { useTranslation } from "#translations";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { DateTime } from "../../ui/DateTime.tsx";
import { Form } from "../../ui/Form.tsx";
import type { AccountData } from "./+data.ts";
import { programOf } from "./program.ts";

export function SessionList({ data: sessions, total }: AccountData["sessions"]) {
  const { t } = useTranslation("account");
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {sessions.map(({ id, userAgent, usedAt, createdAt, current }) => {
          const { browser, system, mobile } = programOf(userAgent ?? "");
          const name = browser && system ? t("program", { browser, system }) : browser || t("unknownProgram");
          const Icon = mobile ? Smartphone : Laptop;
          return (
            <li key={id} className="flex items-center gap-3 py-3">
              <Icon aria-hidden className="size-5 shrink-0 text-faint" />
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 font-medium">
                  {name}
                  {current && <Badge tone="good">{t("thisSession")}</Badge>}
                </p>
                <p id={`session-${id}`} className="text-muted text-sm">
                  {t("usedAt")} <DateTime value={usedAt} />
                  <span aria-hidden> · </span>
                  {t("since")} <DateTime value={createdAt} />
                </p>
              </div>
              {!current && (
                <Form name="session" fields={{ id }} className="max-w-48 space-y-2">
                  <Button size="sm" aria-label={t("endSession", { name })} aria-describedby={`session-${id}`}>
                    {t("app:nav.logout")}
                  </Button>
                </Form>
              )}
            </li>
          );
        })}
      </ul>
      {total > 1 && (
        <div className="mt-4">
          <ConfirmDialog
            id="everywhere"
            label={t("everywhere")}
            title={t("everywhereTitle")}
            confirm={t("everywhere")}
            form="everywhere"
          >
            {t("everywhereText", { count: total })}
          </ConfirmDialog>
        </div>
      )}
    </>
  );
}
