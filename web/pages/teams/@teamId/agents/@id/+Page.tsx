// One agent: who it is, what it knows, who may ask it. The pattern of a detail page with a form.
import { ExternalLink, FlaskConical, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../../../components/Badge.tsx";
import { Button } from "../../../../../components/Button.tsx";
import { ConfirmDialog } from "../../../../../components/ConfirmDialog.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { FormField } from "../../../../../components/FormField.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { Section } from "../../../../../components/Section.tsx";
import { Status } from "../../../../../components/Status.tsx";
import type { ChatProps } from "../../../../../islands/Chat.tsx";
import { Island } from "../../../../../renderer/island.tsx";
import { useData, useRender, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, may, teamPath } from "../../../../../server/current-team.ts";
import type { AgentData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { agent, knowledges } = useData<AgentData>();
  const { form } = useRender();
  const chosen = form?.name === "" ? (form.values.knowledgeIds ?? []) : agent.knowledgeIds;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "agents") },
          { label: agent.name },
        ]}
        title={agent.name}
        mark={
          <Badge tone={agent.visibility === "public" ? "good" : "neutral"}>
            {t(`visibility.${agent.visibility}`)}
          </Badge>
        }
        actions={
          <>
            {agent.visibility === "public" && (
              <Button href={`/chats/${agent.id}`} icon={<ExternalLink aria-hidden className="size-4" />}>
                {t("open")}
              </Button>
            )}
            <Button
              href={`${teamPath(request, "playground")}?agentId=${agent.id}`}
              variant="primary"
              icon={<FlaskConical aria-hidden className="size-4" />}
            >
              {t("try")}
            </Button>
          </>
        }
      >
        {agent.description}
      </PageHeader>
      <div className="grid grid-cols-1 gap-x-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <Form className="min-w-0">
          <Section title={t("sections.who")}>
            <div className="space-y-4">
              <FormField name="name" label={t("name")} required maxLength={200} defaultValue={agent.name} />
              <FormField
                name="description"
                label={t("description")}
                maxLength={2000}
                defaultValue={agent.description}
              />
              <FormField
                as="textarea"
                name="instructions"
                label={t("instructions.label")}
                hint={t("instructions.hint")}
                rows={8}
                maxLength={20_000}
                defaultValue={agent.instructions ?? ""}
              />
            </div>
          </Section>
          <Section title={t("sections.knowledge")} description={t("sections.knowledgeText")}>
            {knowledges.length === 0 ? (
              <Button href={teamPath(request, "knowledges")}>{t("addKnowledge")}</Button>
            ) : (
              <fieldset>
                <legend className="sr-only">{t("sections.knowledge")}</legend>
                <ul className="divide-y divide-line border-line border-y">
                  {knowledges.map(({ id, name, status }) => (
                    <li key={id}>
                      <label className="flex items-center gap-3 py-2.5 hover:bg-sunken">
                        <input
                          type="checkbox"
                          name="knowledgeIds"
                          value={id}
                          defaultChecked={chosen.includes(id)}
                          className="size-4 accent-accent"
                        />
                        <span className="min-w-0 flex-1 truncate">{name}</span>
                        <span className="text-muted text-sm">
                          <Status value={status} />
                        </span>
                      </label>
                    </li>
                  ))}
                </ul>
              </fieldset>
            )}
          </Section>
          <Section title={t("sections.front")}>
            <div className="space-y-4">
              <FormField
                as="textarea"
                rows={2}
                name="greeting"
                label={t("greeting")}
                maxLength={2000}
                defaultValue={agent.greeting}
              />
              <FormField
                as="textarea"
                rows={3}
                name="suggestedPrompts"
                label={t("prompts.label")}
                hint={t("prompts.hint")}
                defaultValue={agent.suggestedPrompts.join("\n")}
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
          </Section>
          <div className="sticky bottom-0 border-line border-t bg-ground py-3">
            <Button variant="primary">{t("app:save")}</Button>
          </div>
        </Form>
        <aside aria-label={t("try")} className="max-lg:mt-10">
          <div className="flex h-[36rem] flex-col rounded-md border border-line lg:sticky lg:top-8 lg:h-[calc(100dvh-13.5rem)]">
            <Island<ChatProps>
              name="Chat"
              load="visible"
              props={{
                agent: {
                  id: agent.id,
                  name: agent.name,
                  greeting: agent.greeting,
                  suggestedPrompts: agent.suggestedPrompts,
                },
                chatId: null,
                channel: "playground",
                messages: [],
                address: null,
                sourceAddress: teamPath(request, "source/{sourceId}"),
              }}
            />
          </div>
        </aside>
      </div>
      <div className="mt-8 border-line border-t pt-6">
        {may(request, "apps.write") && (
          <Section title={t("apps:onAgent.title")} description={t("apps:onAgent.text")}>
            <Button href={`${teamPath(request, "apps/create")}?agentId=${agent.id}`}>
              {t("apps:onAgent.connect")}
            </Button>
          </Section>
        )}
        <Section title={t("delete.section")} description={t("delete.sectionText")}>
          <ConfirmDialog
            id="delete-agent"
            form="delete"
            icon={<Trash2 aria-hidden className="size-4" />}
            label={t("delete.button")}
            title={t("delete.title", { name: agent.name })}
            confirm={t("delete.confirm")}
          >
            {t("delete.text")}
          </ConfirmDialog>
        </Section>
      </div>
    </>
  );
}
