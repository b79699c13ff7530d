// An agent's properties, for readers who may not change it.
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import type { AgentData } from "./+data.ts";

export function AgentOverview() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { agent, knowledges } = useData<AgentData>();
  const known = knowledges.rows.filter(({ id }) => agent.knowledgeIds.includes(id));
  return (
    <>
      <Section title={t("instructions.label")}>
        {agent.instructions ? (
          <p className="whitespace-pre-wrap break-words">{agent.instructions}</p>
        ) : (
          <p className="text-muted">{t("instructions.none")}</p>
        )}
      </Section>
      <Section title={t("sections.knowledge")} description={t("sections.knowledgeText")}>
        {known.length === 0 ? (
          <p className="text-muted">{t("create.noKnowledge")}</p>
        ) : (
          <ul className="divide-y divide-line border-line border-y">
            {known.map(({ id, name, status }) => (
              <li key={id}>
                <a
                  href={teamPath(request, `knowledges/${id}`)}
                  className="flex items-center gap-3 py-2.5 hover:bg-sunken"
                >
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  <span className="text-muted text-sm">
                    <Status value={status} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
