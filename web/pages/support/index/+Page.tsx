// Write to support.
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/Button.tsx";
import { Form } from "../../../components/Form.tsx";
import { FormField } from "../../../components/FormField.tsx";
import { PageHeader } from "../../../components/PageHeader.tsx";
import { SupportText } from "../../../components/SupportText.tsx";
import { useRequest } from "../../../renderer/render-context.tsx";

export function Page() {
  const { t } = useTranslation("support");
  const { user, supportEmail } = useRequest();
  return (
    <div className="mx-auto max-w-xl py-10">
      <PageHeader title={t("title")}>
        <SupportText text={t("intro", { supportEmail })} />
      </PageHeader>
      <Form>
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="email"
          required
          defaultValue={user?.email}
        />
        <FormField name="subject" label={t("subject")} required maxLength={200} />
        <FormField as="textarea" name="message" label={t("message")} rows={6} required maxLength={10_000} />
        <Button variant="primary">{t("send")}</Button>
      </Form>
    </div>
  );
}
