// Owns the creation of a team, by a name or from an export; everything else about it can wait.
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/Button.tsx";
import { Form } from "../../../components/Form.tsx";
import { FormField } from "../../../components/FormField.tsx";
import { PageHeader } from "../../../components/PageHeader.tsx";
import { Section } from "../../../components/Section.tsx";
import { Island } from "../../../renderer/island.tsx";
import { useRequest } from "../../../renderer/render-context.tsx";

export function Page() {
  const { t } = useTranslation("teams");
  const { teams } = useRequest();
  return (
    <>
      <PageHeader title={t("create.title")}>{t("create.intro")}</PageHeader>
      <Form>
        <FormField
          name="name"
          label={t("create.name")}
          placeholder={t("create.placeholder")}
          autoComplete="organization"
          required
          maxLength={200}
          autoFocus
        />
        <div className="flex gap-2">
          <Button variant="primary" size="lg">
            {t("create.submit")}
          </Button>
          {teams.length > 0 && (
            <Button href="/teams" variant="ghost" size="lg">
              {t("app:cancel")}
            </Button>
          )}
        </div>
      </Form>
      <div className="mt-10">
        <Section title={t("import.title")} description={t("import.text")}>
          <Island name="ImportTeam" props={{}} />
        </Section>
      </div>
    </>
  );
}
