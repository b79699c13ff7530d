// The support form.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { SupportText } from "#web/ui/SupportText.tsx";

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
