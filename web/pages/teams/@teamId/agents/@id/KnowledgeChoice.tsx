// The knowledge bases of an agent, as a part of its form: its own first, and a search where the team has many.
import { Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRender, useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { newerValue } from "#web/ui/newer-value.ts";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { ScrollArea } from "#web/ui/ScrollArea.tsx";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import { type AgentData, ANOTHER_KNOWLEDGE, KNOWLEDGES_SHOWN } from "./+data.ts";

export function KnowledgeChoice() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { agent, knowledges } = useData<AgentData>();
  const { form } = useRender();
  const { rows, isPartial } = knowledges;
  // More than a page of them: they are kept, though not shown.
  const unlisted = agent.knowledgeIds.filter((id) => !rows.some((row) => row.id === id));
  const names = (ids: string[]) =>
    rows
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => name)
      .join(", ");
  const newer =
    form?.name === ""
      ? newerValue(t, form, {
          typed: names(form.values.knowledgeIds ?? []),
          saved: names(agent.knowledgeIds),
        })
      : undefined;
  const chosen = form?.name === "" ? (form.values.knowledgeIds ?? []) : agent.knowledgeIds;
  // Its own knowledge bases come first: a team may have hundreds.
  const sorted = [
    ...rows.filter(({ id }) => chosen.includes(id)),
    ...rows.filter(({ id }) => !chosen.includes(id)),
  ];
  return (
    <Section
      title={t("sections.knowledge")}
      description={t("sections.knowledgeText")}
      actions={
        <OfferedButton
          href={teamPath(request, `knowledges/create?agentId=${agent.id}`)}
          size="sm"
          icon={<Plus aria-hidden className="size-3.5" />}
        >
          {t("addKnowledge")}
        </OfferedButton>
      }
    >
      <input type="hidden" name={KNOWLEDGES_SHOWN} value="yes" />
      {unlisted.map((id) => (
        <input key={id} type="hidden" name="knowledgeIds" value={id} />
      ))}
      {sorted.length === 0 ? (
        <p className="text-muted">{t("noKnowledge")}</p>
      ) : (
        <fieldset>
          <legend className="sr-only">{t("sections.knowledge")}</legend>
          <ScrollArea className="relative max-h-72 border-line border-y">
            <ul className="divide-y divide-line">
              {sorted.map(({ id, name, status }) => (
                <li key={id} className="flex items-center gap-3 hover:bg-sunken">
                  <label className="flex min-w-0 flex-1 items-center gap-3 py-2.5 pl-1">
                    <input
                      type="checkbox"
                      name="knowledgeIds"
                      value={id}
                      defaultChecked={chosen.includes(id)}
                    />
                    <span className="min-w-0 flex-1 truncate">{name}</span>
                  </label>
                  <a
                    href={teamPath(request, `knowledges/${id}`)}
                    className="rounded-sm px-1 text-muted text-sm hover:text-ink"
                  >
                    <span className="sr-only">{name}: </span>
                    <Status value={status} />
                  </a>
                </li>
              ))}
            </ul>
          </ScrollArea>
          {newer && <p className="mt-1.5 text-careful text-sm">{newer}</p>}
          {isPartial && (
            <div className="mt-4 max-w-sm">
              <FormChoice
                name={ANOTHER_KNOWLEDGE}
                label={t("anotherKnowledge")}
                hint={t("anotherKnowledgeHint")}
                choices={knowledges}
                none={{ value: "", label: t("noOther") }}
              />
            </div>
          )}
        </fieldset>
      )}
    </Section>
  );
}
