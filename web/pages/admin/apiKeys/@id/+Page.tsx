// One API key of any team.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { Section } from "#web/ui/Section.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { Facts } from "../../Facts.tsx";
import { RemoveSection } from "../../RemoveSection.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { ApiKeysDetailData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { row, teamNames } = useData<ApiKeysDetailData>();
  return (
    <>
      <AdminHead list="apiKeys" name={row.name} />
      <Facts
        facts={[
          [t("field.team"), <TeamLink key="team" id={row.teamId} names={teamNames} />],
          [t("field.prefix"), <code key="prefix">prl_{row.prefix}_…</code>],
          [t("field.createdBy"), row.createdBy ? `${row.createdBy.name} (${row.createdBy.email})` : "–"],
          [t("field.state"), t(row.active ? "keyActive" : "keyInactive")],
          [t("field.lastUsed"), row.lastUsedAt ? <DateTime key="used" value={row.lastUsedAt} /> : t("never")],
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
      <RemoveSection list="apiKeys" name={row.name} />
    </>
  );
}
