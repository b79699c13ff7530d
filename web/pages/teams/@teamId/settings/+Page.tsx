// The team's settings: its import, its name, its export, and its deletion.
import { Download, Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { StorageUse } from "../files/StorageUse.tsx";
import type { SettingsData } from "./+data.ts";
import { ImportResult } from "./ImportResult.tsx";

export function Page() {
  const { t } = useTranslation("teamSettings");
  const request = useRequest();
  const team = currentTeam(request);
  const { imported, task, named, storage } = useData<SettingsData>();
  return (
    <>
      <PageHeader
        crumbs={[{ label: team.name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      />
      {imported && <ImportResult imported={imported} task={task} codename={team.codename} />}
      {may(request, "team.update") ? (
        <Section title={t("name.title")} description={t("name.text")}>
          <Form name="name" className="max-w-md space-y-4" version={named.version}>
            <FormField
              form="name"
              name="name"
              label={t("name.label")}
              required
              maxLength={200}
              defaultValue={named.name}
            />
            <FormField
              form="name"
              name="codename"
              label={t("name.codename")}
              hint={t("name.codenameHint")}
              required
              maxLength={64}
              pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={named.codename}
            />
            <Button variant="primary">{t("app:save")}</Button>
          </Form>
        </Section>
      ) : (
        <p className="mb-6 text-muted">
          {t("readOnly", { role: t(`teams:roles.${team.role}`, { defaultValue: team.role }) })}
        </p>
      )}
      {storage && (
        <Section title={t("files:storage.title")} description={t("files:storage.text")}>
          <StorageUse storage={storage} />
        </Section>
      )}
      {may(request, "team.delete") && (
        <>
          <Section
            title={t("export.title")}
            description={t("export.text")}
            actions={
              <Button
                href={`/v1/teams/${team.id}/export`}
                download
                icon={<Download aria-hidden className="size-4" />}
              >
                {t("export.button")}
              </Button>
            }
          >
            <ul className="max-w-2xl list-disc space-y-1 pl-5 text-muted text-sm marker:text-faint">
              <li>{t("export.rows")}</li>
              <li>{t("export.files")}</li>
              <li>{t("export.without")}</li>
            </ul>
          </Section>
          <Section title={t("delete.title")} description={t("delete.text")}>
            <ConfirmDialog
              id="delete-team"
              form="delete"
              icon={<Trash2 aria-hidden className="size-4" />}
              label={t("delete.button")}
              title={t("app:deleteQuestion", { name: team.name })}
              confirm={t("delete.confirm")}
            >
              {t("delete.lost")}
            </ConfirmDialog>
          </Section>
        </>
      )}
    </>
  );
}
