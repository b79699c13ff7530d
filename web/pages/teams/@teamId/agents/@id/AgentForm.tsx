// An agent's settings: instructions and knowledge at hand, the rest folded.

import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Fold } from "../../../../../components/Fold.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { FormField } from "../../../../../components/FormField.tsx";
import { FormNumber } from "../../../../../components/FormNumber.tsx";
import { FormTags } from "../../../../../components/FormTags.tsx";
import { OfferedButton } from "../../../../../components/OfferedButton.tsx";
import { ScrollArea } from "../../../../../components/ScrollArea.tsx";
import { Section } from "../../../../../components/Section.tsx";
import { Status } from "../../../../../components/Status.tsx";
import { useData, useRender, useRequest } from "../../../../../renderer/render-context.tsx";
import { teamPath } from "../../../../../server/current-team.ts";
import type { AgentData } from "./+data.ts";

const modes = ["hybrid", "vector", "text"];

export function AgentForm() {
  const { t } = useTranslation("agents");
  const { agent } = useData<AgentData>();
  const { form } = useRender();
  const { url } = useRequest();
  const refused = form?.name === "" ? Object.keys(form.errors) : [];
  const inIt = (...names: string[]) => refused.some((path) => names.includes(path));
  return (
    <Form className="min-w-0">
      <Section title={t("instructions.label")}>
        <FormField
          as="textarea"
          name="instructions"
          label={<span className="sr-only">{t("instructions.label")}</span>}
          hint={t("instructions.hint")}
          rows={8}
          maxLength={20_000}
          defaultValue={agent.instructions ?? ""}
        />
      </Section>
      <KnowledgeChoice />
      <Fold
        title={t("sections.who")}
        summary={agent.name}
        // "Share it" of the first steps leads here for the visibility.
        open={url.searchParams.has("share") || inIt("name", "description")}
      >
        <div className="space-y-4">
          <FormField name="name" label={t("name")} required maxLength={200} defaultValue={agent.name} />
          <FormField
            name="description"
            label={t("description")}
            maxLength={2000}
            defaultValue={agent.description}
          />
          <FormField
            as="select"
            name="visibility"
            label={t("visibility.label")}
            hint={t("visibility.hint")}
            defaultValue={agent.visibility}
            options={[
              { value: "private", label: t("visibility.private") },
              { value: "public", label: t("visibility.public") },
            ]}
          />
        </div>
      </Fold>
      <Fold
        title={t("sections.front")}
        summary={t("prompts.count", { count: agent.suggestedPrompts.length })}
        open={inIt("greeting", "suggestedPrompts")}
      >
        <div className="space-y-4">
          <FormField
            as="textarea"
            rows={2}
            name="greeting"
            label={t("greeting")}
            maxLength={2000}
            defaultValue={agent.greeting}
          />
          <FormTags
            name="suggestedPrompts"
            label={t("prompts.label")}
            hint={t("prompts.hint")}
            placeholder={t("prompts.placeholder")}
            values={agent.suggestedPrompts}
            // A question may well have a comma in it.
            delimiter=""
            max={12}
            maxLength={300}
            addOnBlur
          />
        </div>
      </Fold>
      <Fold
        title={t("sections.model")}
        summary={[agent.model || t("model.default"), t(`mode.${agent.retrieval.mode}`)].join(" · ")}
        open={inIt("model", "temperature", "retrieval.topK", "retrieval.minScore", "retrieval.mode")}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField
            name="model"
            label={t("model.label")}
            hint={t("model.hint")}
            placeholder={t("model.default")}
            maxLength={200}
            defaultValue={agent.model}
          />
          <FormNumber
            name="temperature"
            label={t("temperature.label")}
            hint={t("temperature.hint")}
            value={agent.temperature}
            min={0}
            max={2}
            step={0.1}
          />
          <FormField
            as="select"
            name="retrieval.mode"
            label={t("mode.label")}
            hint={t("mode.hint")}
            defaultValue={agent.retrieval.mode}
            options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
          />
          <FormNumber
            name="retrieval.topK"
            label={t("topK.label")}
            hint={t("topK.hint")}
            value={agent.retrieval.topK}
            min={1}
            max={50}
          />
          <FormNumber
            name="retrieval.minScore"
            label={t("minScore.label")}
            hint={t("minScore.hint")}
            value={agent.retrieval.minScore}
            min={0}
            max={1}
            step={0.05}
          />
        </div>
      </Fold>
      <div className="sticky bottom-0 z-10 border-line border-t bg-ground py-3">
        <Button variant="primary">{t("app:save")}</Button>
      </div>
    </Form>
  );
}

function KnowledgeChoice() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { agent, knowledges } = useData<AgentData>();
  const { form } = useRender();
  const chosen = form?.name === "" ? (form.values.knowledgeIds ?? []) : agent.knowledgeIds;
  // What it has stands first: a team may have hundreds.
  const sorted = [
    ...knowledges.filter(({ id }) => chosen.includes(id)),
    ...knowledges.filter(({ id }) => !chosen.includes(id)),
  ];
  return (
    <Section
      title={t("sections.knowledge")}
      description={t("sections.knowledgeText")}
      actions={
        <OfferedButton
          href={teamPath(request, "knowledges/create")}
          size="sm"
          icon={<Plus aria-hidden className="size-3.5" />}
        >
          {t("addKnowledge")}
        </OfferedButton>
      }
    >
      {sorted.length === 0 ? (
        <p className="text-muted">{t("noKnowledge")}</p>
      ) : (
        <fieldset>
          <legend className="sr-only">{t("sections.knowledge")}</legend>
          {/* What the list is too short for stays chosen. */}
          {agent.knowledgeIds
            .filter((one) => !knowledges.some(({ id }) => id === one))
            .map((one) => (
              <input key={one} type="hidden" name="knowledgeIds" value={one} />
            ))}
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
                      className="size-4 accent-accent"
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
        </fieldset>
      )}
    </Section>
  );
}
