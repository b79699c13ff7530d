// One team, with links to its resources.
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
import type { TeamsDetailData } from "./+data.ts";

const has = ["agents", "knowledges", "sources", "tasks", "apiKeys"] as const;

export function Page() {
  const { t } = useTranslation("admin");
  const { row } = useData<TeamsDetailData>();
  return (
    <>
      <AdminHead list="teams" name={row.name} />
      <Facts
        facts={[
          [t("field.codename"), row.codename],
          [t("field.created"), <DateTime key="created" value={row.createdAt} />],
          [t("field.id"), <code key="id">{row.id}</code>],
        ]}
      />
      <Section title={t("has.title")}>
        <ul className="flex flex-wrap gap-2">
          {has.map((list) => (
            <li key={list}>
              <Button href={`/admin/${list}?teamId=${row.codename}`} size="sm">
                {t(`lists.${list}`)}
              </Button>
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t("settings")}>
        <Form className="max-w-xl space-y-4">
          <FormField name="name" label={t("field.name")} required maxLength={200} defaultValue={row.name} />
          <FormField
            name="codename"
            label={t("field.codename")}
            required
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={row.codename}
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <RemoveSection list="teams" name={row.name} />
    </>
  );
}
