// A person's own settings: name, language, password, theme.
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Field } from "../../components/Field.tsx";
import { Form } from "../../components/Form.tsx";
import { FormField } from "../../components/FormField.tsx";
import { Input } from "../../components/Input.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { Section } from "../../components/Section.tsx";
import { Preferences } from "../../layouts/Preferences.tsx";
import { localeNames, locales } from "../../renderer/locale.ts";
import { useRequest } from "../../renderer/render-context.tsx";

export function Page() {
  const { t } = useTranslation("account");
  const { user, locale } = useRequest();
  return (
    <>
      <PageHeader title={t("title")}>{t("intro")}</PageHeader>
      <Section title={t("profile")}>
        <Form name="profile" className="max-w-md space-y-4">
          <FormField
            form="profile"
            name="name"
            label={t("name")}
            autoComplete="name"
            required
            maxLength={200}
            defaultValue={user?.name}
          />
          <Field id="email" label={t("email")} hint={t("emailHint")}>
            {(attributes) => (
              <Input {...attributes} type="email" value={user?.email} readOnly className="bg-sunken" />
            )}
          </Field>
          <FormField
            as="select"
            form="profile"
            name="locale"
            label={t("app:language")}
            hint={t("localeHint")}
            defaultValue={locale}
            options={locales.map((value) => ({ value, label: localeNames[value] }))}
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <Section title={t("password")} description={t("passwordText")}>
        <Form name="password">
          <Button>{t("passwordButton")}</Button>
        </Form>
      </Section>
      <Section title={t("look")} description={t("lookText")}>
        <Preferences />
      </Section>
    </>
  );
}
