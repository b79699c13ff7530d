// "Check your mail", with a button to resend it.
import { MailCheck } from "lucide-react";
import { Trans } from "react-i18next";
import { useTranslation } from "#translations";
import { useData, useRequest } from "../../render/render-context.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";
import { SupportText } from "../../ui/SupportText.tsx";
import type { ConfirmData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("auth");
  const { email, failure } = useData<ConfirmData>();
  const { mailboxUrl } = useRequest();
  return (
    <>
      <MailCheck aria-hidden className="mb-4 size-7 text-accent-ink" />
      <h1 className="font-semibold text-xl">{t("confirm.title")}</h1>
      <div className="mt-2 mb-6 space-y-3 text-muted">
        {failure ? (
          <Alert tone="bad" title={failure.title}>
            <SupportText text={failure.description} />
          </Alert>
        ) : (
          <p>
            {email ? (
              <Trans
                t={t}
                i18nKey="confirm.text"
                values={{ email }}
                components={[<strong key="email" className="font-medium text-ink" />]}
              />
            ) : (
              t("confirm.textNoEmail")
            )}
          </p>
        )}
        {mailboxUrl && (
          <p>
            <a
              href={mailboxUrl}
              target="_blank"
              rel="noreferrer"
              className="font-medium text-accent-ink hover:underline"
            >
              {t("confirm.mailbox")}
            </a>
          </p>
        )}
      </div>
      <Form casual>
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="email"
          required
          defaultValue={email}
        />
        <Button size="lg" className="w-full">
          {t("confirm.resend")}
        </Button>
      </Form>
      <p className="mt-6 text-muted text-sm">
        <a href="/login" className="font-medium text-accent-ink hover:underline">
          {t("backToLogin")}
        </a>
      </p>
    </>
  );
}
