// For an address that was registered more than once: no password is valid until its mailbox chooses one.
import { ShieldAlert } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";
import { SupportText } from "../../ui/SupportText.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { supportEmail, mailboxUrl, url } = useRequest();
  return (
    <>
      <ShieldAlert aria-hidden className="mb-4 size-7 text-careful" />
      <h1 className="font-semibold text-xl">{t("verify.title")}</h1>
      <div className="mt-2 mb-6 space-y-3 text-muted">
        <p>
          <SupportText text={t("verify.text", { supportEmail })} />
        </p>
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
          defaultValue={url.searchParams.get("email") ?? ""}
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
