// One gap: its questions, why they were not answered, the form for the answer, and how many are answered now.
import { PenLine, RotateCcw, X } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { noChoices } from "#web/request/choices.ts";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormCheckbox } from "#web/ui/FormCheckbox.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { EntryFields } from "../../sources/EntryFields.tsx";
import { LiveTask } from "../../tasks/LiveTask.tsx";
import { reasonOf } from "../gap-reason.ts";
import type { GapData } from "./+data.ts";
import { AskedQuestions } from "./AskedQuestions.tsx";
import { Outcome } from "./Outcome.tsx";

export function Page() {
  const { t } = useTranslation("gaps");
  const request = useRequest();
  const { gap, knowledges, task } = useData<GapData>();
  const mayWrite = ["sources.write", "agents.write", "knowledges.write"].every((one) => may(request, one));
  const document = gap.found && teamPath(request, `source/${gap.found.sourceId}/documents/${gap.found.id}`);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("title"), href: teamPath(request, "gaps") },
          { label: gap.question },
        ]}
        title={<span dir="auto">{gap.question}</span>}
        mark={
          <Badge tone={gap.state === "answered" ? "good" : gap.state === "open" ? "careful" : "neutral"}>
            {t(`is.${gap.state}`)}
          </Badge>
        }
        actions={
          may(request, "sources.write") &&
          gap.state !== "answered" && (
            <Form name={gap.state === "dismissed" ? "open" : "dismiss"}>
              {gap.state === "dismissed" ? (
                <Button icon={<RotateCcw aria-hidden className="size-4" />}>{t("open")}</Button>
              ) : (
                <Button icon={<X aria-hidden className="size-4" />}>{t("dismiss")}</Button>
              )}
            </Form>
          )
        }
      >
        {t("askedBy", { count: gap.people })} · {t("askedTimes", { count: gap.questions })} · {gap.agentName}
      </PageHeader>
      {gap.searchedFor && (
        <p className="-mt-4 mb-8 max-w-2xl text-muted [overflow-wrap:anywhere]" dir="auto">
          {t("passages:searchedFor", { question: gap.searchedFor })}
        </p>
      )}
      <div className="mb-8 space-y-4 empty:hidden">
        {task ? <LiveTask task={task} /> : <Outcome gap={gap} />}
      </div>
      <Section title={t(`reason.${reasonOf(gap)}`)} description={t(`why.${reasonOf(gap)}`)}>
        {gap.found && document && (
          <p className="mb-4">
            <a href={document} className="rounded-sm text-accent-ink hover:underline">
              {gap.found.title}
            </a>
          </p>
        )}
        <AskedQuestions gap={gap} />
      </Section>
      {mayWrite && (
        <div id="write" className="scroll-mt-20">
          <Section title={t(gap.entry ? "writeAgain" : "write")} description={t("writeText")}>
            {knowledges.length === 0 ? (
              <Alert tone="careful" title={t("noKnowledge")}>
                <a href={teamPath(request, `agents/${gap.agentId}`)} className="rounded-sm underline">
                  {t("giveKnowledge")}
                </a>
              </Alert>
            ) : (
              <AnswerForm />
            )}
          </Section>
        </div>
      )}
    </>
  );
}

function AnswerForm() {
  const { t } = useTranslation("gaps");
  const { gap, knowledges } = useData<GapData>();
  return (
    <Form name="answer" className="max-w-2xl space-y-4">
      <EntryFields
        form="answer"
        entry={{ question: (gap.searchedFor ?? gap.question).slice(0, 2000) }}
        members={noChoices("members")}
      />
      <FormField
        as="select"
        form="answer"
        name="knowledgeId"
        label={t("knowledge")}
        hint={t("knowledgeHint")}
        options={knowledges.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FormCheckbox form="answer" name="addTest" label={t("addTest")} isChecked />
      <Button variant="primary" icon={<PenLine aria-hidden className="size-4" />}>
        {t("submit")}
      </Button>
    </Form>
  );
}
