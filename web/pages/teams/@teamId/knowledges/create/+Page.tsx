// Creates a knowledge base from dropped files, or an empty one. It is renamed on its own page.
import { documentLanguageOf } from "#locales/registry.ts";
import { useTranslation } from "#translations";
import type { NewKnowledgeProps } from "#web/islands/NewKnowledge.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import type { NewKnowledgeData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  const { isFirst } = useData<NewKnowledgeData>();
  return (
    <div className="max-w-xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "knowledges") },
          { label: t("create.title") },
        ]}
        title={t("create.title")}
      >
        {t("create.intro")}
      </PageHeader>
      <Island<NewKnowledgeProps>
        name="NewKnowledge"
        props={{
          teamId: currentTeam(request).id,
          language: documentLanguageOf(request.locale),
          // The first is named after the team, a further one after its first file.
          knowledge: isFirst ? currentTeam(request).name : undefined,
          after: teamPath(request, "knowledges/{id}"),
        }}
      />
      <p className="my-6 text-center text-muted text-sm">{t("create.or")}</p>
      <Form className="text-center">
        <Button>{t("create.submit")}</Button>
      </Form>
    </div>
  );
}
