// One account: its rights, and whether it is banned.
import { Ban } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { languageName } from "#web/request/language-name.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { Section } from "#web/ui/Section.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { Facts } from "../../Facts.tsx";
import { RemoveSection } from "../../RemoveSection.tsx";
import type { UsersDetailData } from "./+data.ts";

export function Page() {
  const { t, i18n } = useTranslation("admin");
  const { row } = useData<UsersDetailData>();
  const isSelf = useRequest().user?.id === row.id;
  return (
    <>
      <AdminHead
        list="users"
        name={row.name}
        mark={
          <span className="flex gap-1.5">
            {row.isAdmin && <Badge tone="accent">{t("user.badge")}</Badge>}
            {row.banned && <Badge tone="bad">{t("user.banned")}</Badge>}
          </span>
        }
      />
      <Facts
        facts={[
          [t("field.email"), row.email],
          [t("app:language"), languageName(row.locale, i18n.language)],
          [t("field.created"), <DateTime key="created" value={row.createdAt} />],
          [t("field.id"), <code key="id">{row.id}</code>],
        ]}
      />
      <Section title={t("settings")}>
        <Form className="max-w-xl space-y-4">
          <FormField name="name" label={t("field.name")} required maxLength={200} defaultValue={row.name} />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      {!isSelf && (
        <>
          <Section title={t("user.admin")} description={t("user.adminText")}>
            <Form name={row.isAdmin ? "takeAdmin" : "makeAdmin"}>
              <Button>{t(row.isAdmin ? "user.takeAdmin" : "user.makeAdmin")}</Button>
            </Form>
          </Section>
          <Section title={t("user.ban")} description={t("user.banText")}>
            {row.banned ? (
              <Form name="unban">
                <Button>{t("user.unban")}</Button>
              </Form>
            ) : (
              <ConfirmDialog
                id="ban"
                form="ban"
                icon={<Ban aria-hidden className="size-4" />}
                label={t("user.banButton")}
                title={t("user.banQuestion", { name: row.name })}
                confirm={t("user.banConfirm")}
              >
                {t("user.banText")}
              </ConfirmDialog>
            )}
          </Section>
          <RemoveSection list="users" name={row.name} />
        </>
      )}
    </>
  );
}
