// An agent's settings: instructions and knowledge bases, with the rest collapsed.
import { useTranslation } from "#translations";
import { useData, useMustShow, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormTags } from "#web/ui/FormTags.tsx";
import { Section } from "#web/ui/Section.tsx";
import { OfflineNote } from "../../models/OfflineNote.tsx";
import { useOfflineNote } from "../../models/use-offline-note.ts";
import type { AgentData } from "./+data.ts";
import { KnowledgeChoice } from "./KnowledgeChoice.tsx";
import { ModelAndRetrieval } from "./ModelAndRetrieval.tsx";

export function AgentForm() {
  const { t } = useTranslation("agents");
  const { agent } = useData<AgentData>();
  const request = useRequest();
  return (
    <Form className="min-w-0" version={agent.version}>
      <Instructions />
      {may(request, "knowledges.read") && <KnowledgeChoice />}
      <NameAndVisibility />
      <GreetingAndSuggestions />
      <ModelAndRetrieval />
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

function Instructions() {
  const { t } = useTranslation("agents");
  const { agent, isOffline } = useData<AgentData>();
  const offlineNote = useOfflineNote();
  return (
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
  );
}

function NameAndVisibility() {
  const { t } = useTranslation("agents");
  const { agent } = useData<AgentData>();
  const { url } = useRequest();
  const mustShow = useMustShow();
  // "Publish" of the first steps links here, for the visibility.
  const isToPublish = url.searchParams.has("share");
  return (
    <Fold
      title={t("sections.who")}
      summary={agent.name}
      open={isToPublish || mustShow("name", "description", "visibility")}
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
          hint={t(isToPublish && agent.visibility === "private" ? "visibility.toPublish" : "visibility.hint")}
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
  );
}

function GreetingAndSuggestions() {
  const { t } = useTranslation("agents");
  const { agent } = useData<AgentData>();
  const mustShow = useMustShow();
  return (
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
  );
}
