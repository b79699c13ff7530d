// Begins a knowledge: drop files in, or name an empty one and fill it later.
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Form } from "../../../../../components/Form.tsx";
import { FormField } from "../../../../../components/FormField.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import type { NewKnowledgeProps } from "../../../../../islands/NewKnowledge.tsx";
import { Island } from "../../../../../renderer/island.tsx";
import { useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";

export function Page() {
  const { t } = useTranslation("knowledges");
  const request = useRequest();
  return (
    <div className="max-w-xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "knowledges") },
          { label: t("create.title") },
        ]}
        title={t("create.title")}
      >
        {t("create.intro")}
      </PageHeader>
      <Island<NewKnowledgeProps>
        name="NewKnowledge"
        props={{
          teamId: currentTeam(request).id,
          language: request.locale,
          after: teamPath(request, "knowledges/{id}"),
        }}
      />
      <p className="my-6 text-center text-muted text-sm">{t("create.or")}</p>
      <Form>
        <FormField
          name="name"
          label={t("name")}
          placeholder={t("create.placeholder")}
          required
          maxLength={200}
        />
        <Button>{t("create.submit")}</Button>
      </Form>
    </div>
  );
}
