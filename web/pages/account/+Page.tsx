// A user's own settings: name, email address, language, theme, password, sessions, and the deletion of the account.
import { useTranslation } from "#translations";
import { Preferences } from "../../layouts/Preferences.tsx";
import { localeNames } from "../../render/locale.ts";
import { useData, useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import type { AccountData } from "./+data.ts";
import { EmailAddress } from "./EmailAddress.tsx";
import { SessionList } from "./SessionList.tsx";

export function Page() {
  const { t } = useTranslation("account");
  const { user, locale } = useRequest();
  const { sessions, address, invitations } = useData<AccountData>();
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
          <FormField
            as="select"
            form="profile"
            name="locale"
            label={t("app:language")}
            hint={t("localeHint")}
            defaultValue={locale}
            options={localeNames.map(({ code, name }) => ({ value: code, label: name }))}
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <Section title={t("email")} description={t("emailText")}>
        <EmailAddress {...address} invitations={invitations} />
      </Section>
      <Section title={t("look")} description={t("lookText")}>
        <Preferences themeOnly />
      </Section>
      <Section title={t("password")} description={t("passwordText")}>
        <Form name="password" className="max-w-md space-y-4">
          <input type="hidden" name="username" autoComplete="username" value={user?.email} />
          <FormField
            form="password"
            name="currentPassword"
            type="password"
            label={t("currentPassword")}
            autoComplete="current-password"
            required
            aside={
              // It belongs to another form: Enter presses the first button of its own form.
              <Button variant="link" form="forgotten">
                {t("passwordForgotten")}
              </Button>
            }
          />
          <FormField
            form="password"
            name="password"
            type="password"
            label={t("newPassword")}
            hint={t("auth:passwordHint")}
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={72}
          />
          <Button>{t("passwordButton")}</Button>
        </Form>
        <Form id="forgotten" name="forgotten" className="mt-4 empty:hidden">
          {null}
        </Form>
      </Section>
      <Section title={t("sessions")} description={t("sessionsText")}>
        <SessionList {...sessions} />
      </Section>
      <Section title={t("delete")} description={t("deleteText")}>
        <ConfirmDialog
          id="delete"
          label={t("deleteButton")}
          title={t("deleteTitle")}
          confirm={t("deleteButton")}
          form="delete"
        >
          {t("deleteWarning")}
        </ConfirmDialog>
      </Section>
    </>
  );
}
