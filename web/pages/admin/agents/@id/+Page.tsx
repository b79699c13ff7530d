// One agent of any team.
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
import type { AgentsDetailData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { row, teamNames } = useData<AgentsDetailData>();
  return (
    <>
      <AdminHead
        list="agents"
        name={row.name}
        actions={row.visibility === "public" && <Button href={`/chats/${row.id}`}>{t("agents:open")}</Button>}
      />
      <Facts
        facts={[
          [t("field.team"), <TeamLink key="team" id={row.teamId} names={teamNames} />],
          [t("agents:sections.knowledge"), row.knowledgeIds.length],
          [t("field.model"), row.model || t("defaultModel")],
          [t("field.created"), <DateTime key="created" value={row.createdAt} />],
          [t("field.updated"), <DateTime key="updated" value={row.updatedAt} />],
          [t("field.id"), <code key="id">{row.id}</code>],
        ]}
      />
      <Section title={t("settings")}>
        <Form className="max-w-xl space-y-4">
          <FormField name="name" label={t("field.name")} required maxLength={200} defaultValue={row.name} />
          <FormField
            as="textarea"
            rows={2}
            name="description"
            label={t("field.description")}
            aside={t("app:optional")}
            maxLength={2000}
            defaultValue={row.description}
          />
          <FormField
            as="textarea"
            rows={8}
            name="instructions"
            label={t("field.instructions")}
            aside={t("app:optional")}
            maxLength={20_000}
            defaultValue={row.instructions}
          />
          <FormField
            as="select"
            name="visibility"
            label={t("field.visibility")}
            defaultValue={row.visibility}
            options={["private", "public"].map((value) => ({
              value,
              label: t(`agents:visibility.${value}`),
            }))}
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <RemoveSection list="agents" name={row.name} />
    </>
  );
}
