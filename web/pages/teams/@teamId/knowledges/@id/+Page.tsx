// One knowledge base: the progress of its documents, its sources, and its settings.

import { Bot } from "lucide-react";
import { useTranslation } from "#translations";
import type { KnowledgeDocumentsProps } from "#web/islands/KnowledgeDocuments.tsx";
import { Island } from "#web/render/island.tsx";
import type { Json } from "#web/render/island-root.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { RenameForm } from "#web/ui/RenameForm.tsx";
import { OverdueSources } from "../../sources/OverdueSources.tsx";
import { knowledgeStateKey } from "../knowledge-state.ts";
import type { KnowledgeData } from "./+data.ts";
import { KnowledgeSettings } from "./KnowledgeSettings.tsx";
import { KnowledgeSources } from "./KnowledgeSources.tsx";

export function Page() {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  const { knowledge, state, sources, choices, agent } = useData<KnowledgeData>();
  const team = currentTeam(request);
  const mayWrite = may(request, "knowledges.write");
  return (
    <>
      <PageHeader
        crumbs={[
          { label: team.name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "knowledges") },
          { label: knowledge.name },
        ]}
        title={knowledge.name}
        rename={mayWrite && <RenameForm name={knowledge.name} version={knowledge.version} />}
        actions={
          may(request, "agents.write") && (
            <Button
              href={teamPath(request, `agents/create?knowledgeId=${knowledge.id}`)}
              icon={<Bot aria-hidden className="size-4" />}
            >
              {t("useIt")}
            </Button>
          )
        }
      >
        {knowledge.description}
      </PageHeader>
      {agent && (
        <div className="mb-6">
          <Alert tone="good" title={t("create.added", { name: agent.name })}>
            <a href={teamPath(request, `agents/${agent.id}`)} className="underline underline-offset-2">
              {t("create.toAgent")}
            </a>
          </Alert>
        </div>
      )}
      {knowledge.overdueSources.length > 0 && (
        <div className="mb-6">
          <OverdueSources knowledge={knowledge} />
        </div>
      )}
      <div className="grid gap-x-12 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="min-w-0">
          <Island<KnowledgeDocumentsProps>
            name="KnowledgeDocuments"
            props={{
              teamId: team.id,
              knowledgeId: knowledge.id,
              sourceAddress: teamPath(request, "source/{sourceId}"),
              mayWrite,
            }}
            seed={[{ key: knowledgeStateKey(knowledge.id), data: JSON.parse(JSON.stringify(state)) as Json }]}
          />
          <KnowledgeSources sources={sources} choices={mayWrite ? choices : undefined} />
        </div>
        {mayWrite && <KnowledgeSettings knowledge={knowledge} />}
      </div>
    </>
  );
}
