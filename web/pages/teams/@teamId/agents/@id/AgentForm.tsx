// An agent's settings: instructions and knowledge bases, with the rest collapsed.

import { Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useMustShow, useRender, useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormNumber } from "#web/ui/FormNumber.tsx";
import { FormTags } from "#web/ui/FormTags.tsx";
import { newerValue } from "#web/ui/newer-value.ts";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { ScrollArea } from "#web/ui/ScrollArea.tsx";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import { OfflineNote } from "../../models/OfflineNote.tsx";
import { useOfflineNote } from "../../models/use-offline-note.ts";
import { type AgentData, ANOTHER_KNOWLEDGE, KNOWLEDGES_SHOWN } from "./+data.ts";

const modes = ["hybrid", "vector", "text"];
const unsupported = ["mark", "omit", "ignore"];

export function AgentForm() {
  const { t } = useTranslation("agents");
  const { agent, isOffline } = useData<AgentData>();
  const request = useRequest();
  const offlineNote = useOfflineNote();
  const mustShow = useMustShow();
  return (
    <Form className="min-w-0" version={agent.version}>
      <Section title={t("instructions.label")}>
        {isOffline && (
          <div className="mb-4">
            <OfflineNote {...offlineNote} />
          </div>
        )}
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
      {may(request, "knowledges.read") && <KnowledgeChoice />}
      <Fold
        title={t("sections.who")}
        summary={agent.name}
        // "Publish" of the first steps links here, for the visibility.
        open={request.url.searchParams.has("share") || mustShow("name", "description", "visibility")}
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
            // The link shows the label above it too.
            className="scroll-mt-24"
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
        open={mustShow("greeting", "suggestedPrompts")}
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
            // A question may contain a comma.
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
        open={mustShow(
          "model",
          "temperature",
          "retrieval.topK",
          "retrieval.minScore",
          "retrieval.mode",
          "unsupportedClaims",
        )}
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
          <FormField
            as="select"
            name="unsupportedClaims"
            label={t("unsupported.label")}
            hint={t("unsupported.hint")}
            defaultValue={agent.unsupportedClaims}
            options={unsupported.map((value) => ({ value, label: t(`unsupported.${value}`) }))}
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
      <div data-covers="bottom" className="sticky bottom-0 z-10 border-line border-t bg-ground py-3">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary">{t("app:save")}</Button>
          <Button variant="ghost" name="as" value="draft">
            {t("agentTests:versions.saveDraft")}
          </Button>
        </div>
      </div>
    </Form>
  );
}

function KnowledgeChoice() {
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
          href={teamPath(request, "knowledges/create")}
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
