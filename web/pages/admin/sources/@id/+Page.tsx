// One source of any team.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { Facts } from "../../Facts.tsx";
import { RemoveSection } from "../../RemoveSection.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { SourcesDetailData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { row, teamNames } = useData<SourcesDetailData>();
  return (
    <>
      <AdminHead list="sources" name={row.name} mark={<Status value={row.status} />} />
      {row.error && (
        <div className="mb-6">
          <Alert tone="bad" title={row.error} />
        </div>
      )}
      <Facts
        facts={[
          [t("field.team"), <TeamLink key="team" id={row.teamId} names={teamNames} />],
          [t("field.type"), t(`source-${row.type}:name`)],
          [t("field.documents"), row.documentsCount],
          [t("field.credentials"), t(row.hasCredentials ? "yes" : "no")],
          [t("field.synced"), row.syncedAt ? <DateTime key="synced" value={row.syncedAt} /> : "–"],
          [t("field.id"), <code key="id">{row.id}</code>],
        ]}
      />
      <Section title={t("settings")}>
        <Form className="max-w-xl space-y-4">
          <FormField name="name" label={t("field.name")} required maxLength={200} defaultValue={row.name} />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <RemoveSection list="sources" name={row.name} />
    </>
  );
}
