// One knowledge base of any team: its status, its settings, and a search in it.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import { AdminHead } from "../../AdminHead.tsx";
import { Facts } from "../../Facts.tsx";
import { RemoveSection } from "../../RemoveSection.tsx";
import { TeamLink } from "../../TeamLink.tsx";
import type { KnowledgesDetailData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("admin");
  const { row, teamNames, query, found } = useData<KnowledgesDetailData>();
  return (
    <>
      <AdminHead
        list="knowledges"
        name={row.name}
        mark={<Status value={row.status} />}
        actions={
          <Form name="index" className="">
            <Button>{t("indexAgain")}</Button>
          </Form>
        }
      />
      <Facts
        facts={[
          [t("field.team"), <TeamLink key="team" id={row.teamId} names={teamNames} />],
          [t("field.documents"), row.documentsCount],
          [t("field.passages"), row.chunksCount],
          [t("field.sources"), row.sourceIds.length],
          [t("field.indexed"), row.indexedAt ? <DateTime key="indexed" value={row.indexedAt} /> : "–"],
          [t("field.id"), <code key="id">{row.id}</code>],
        ]}
      />
      <Section title={t("records.title")} description={t("records.text")}>
        <SearchForm name="query" label={t("records.title")} />
        {found?.length === 0 && <p className="mt-4 text-muted">{t("records.none", { query })}</p>}
        {found && found.length > 0 && (
          <ol className="mt-4 divide-y divide-line border-line border-y">
            {found.map(({ id, title, content }) => (
              <li key={id} className="py-3">
                <p className="truncate font-medium">{title}</p>
                <p className="mt-0.5 line-clamp-3 whitespace-pre-wrap break-words text-muted text-sm">
                  {content}
                </p>
              </li>
            ))}
          </ol>
        )}
      </Section>
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
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <RemoveSection list="knowledges" name={row.name} />
    </>
  );
}
