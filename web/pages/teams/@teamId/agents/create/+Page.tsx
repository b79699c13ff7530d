// Creates an agent: a name is enough. The template for create pages.
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ChoiceSearch } from "#web/ui/ChoiceSearch.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormChoice } from "#web/ui/FormChoice.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import type { CreateAgentData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { knowledges, knowledgeId } = useData<CreateAgentData>();
  return (
    <div className="max-w-xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "agents") },
          { label: t("create.title") },
        ]}
        title={t("create.title")}
      >
        {t("create.intro")}
      </PageHeader>
      <ChoiceSearch choices={knowledges} label={t("knowledge")} />
      <Form>
        <FormField
          name="name"
          label={t("name")}
          placeholder={t("create.placeholder")}
          required
          maxLength={200}
          autoFocus
        />
        <FormField
          as="textarea"
          name="instructions"
          label={t("instructions.label")}
          hint={t("instructions.hint")}
          aside={t("app:optional")}
          maxLength={20_000}
        />
        {knowledges.options.length > 0 && (
          <FormChoice
            name="knowledgeId"
            label={t("knowledge")}
            hint={t("create.knowledgeHint")}
            choices={knowledges}
            none={{ value: "none", label: t("create.noKnowledge") }}
            defaultValue={knowledgeId ?? knowledges.options[0]?.value}
          />
        )}
        <div className="flex gap-2 pt-1">
          <Button variant="primary">{t("create.submit")}</Button>
          <Button href={teamPath(request, "agents")} variant="ghost">
            {t("app:cancel")}
          </Button>
        </div>
      </Form>
    </div>
  );
}
