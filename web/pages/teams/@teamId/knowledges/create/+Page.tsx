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
  const { isFirst, agent } = useData<NewKnowledgeData>();
  const back = agent && teamPath(request, `agents/${agent.id}`);
  return (
    <div className="max-w-xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          ...(agent && back
            ? [
                { label: t("app:nav.agents"), href: teamPath(request, "agents") },
                { label: agent.name, href: back },
              ]
            : [{ label: t("list.title"), href: teamPath(request, "knowledges") }]),
          { label: t("create.title") },
        ]}
        title={t("create.title")}
      >
        {t("create.intro")} {agent && t("create.forAgent", { name: agent.name })}
      </PageHeader>
      <Island<NewKnowledgeProps>
        name="NewKnowledge"
        props={{
          teamId: currentTeam(request).id,
          language: documentLanguageOf(request.locale),
          // The first is named after the team, a further one after its first file.
          knowledge: isFirst ? currentTeam(request).name : undefined,
          agentId: agent?.id,
          after: teamPath(request, `knowledges/{id}${agent ? `?agentId=${agent.id}` : ""}`),
        }}
      />
      <p className="my-6 text-center text-muted text-sm">{t("create.or")}</p>
      <Form
        className="flex flex-wrap justify-center gap-2"
        fields={agent ? { agentId: agent.id } : undefined}
      >
        <Button>{t("create.submit")}</Button>
        {back && (
          <Button href={back} variant="ghost">
            {t("app:cancel")}
          </Button>
        )}
      </Form>
    </div>
  );
}
