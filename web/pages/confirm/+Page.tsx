// "Check your mail", with a button to resend it.
import { MailCheck } from "lucide-react";
import { Trans } from "react-i18next";
import { useTranslation } from "#translations";
import { useData } from "../../render/render-context.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { SupportText } from "../../ui/SupportText.tsx";
import type { ConfirmData } from "./+data.ts";
import { ResendMail } from "./ResendMail.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { email, failure } = useData<ConfirmData>();
  return (
    <ResendMail icon={MailCheck} tone="text-accent-ink" title={t("confirm.title")} email={email}>
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
    </ResendMail>
  );
}
