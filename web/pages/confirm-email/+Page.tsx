// The page behind the links of an email change. A button confirms, not the visit: programs open the links in mails as well.
import { MailCheck } from "lucide-react";
import { useTranslation } from "#translations";
import { useRender, useRequest } from "../../render/render-context.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { user, url } = useRequest();
  const { form } = useRender();
  const waitsFor = form?.result;
  const isSpent = form?.errors.code !== undefined;
  const code = url.searchParams.get("code") ?? "";
  return (
    <>
      <MailCheck aria-hidden className="mb-4 size-7 text-accent-ink" />
      <h1 className="mb-6 font-semibold text-xl">{t("confirmEmail.title")}</h1>
      {waitsFor ? (
        <Alert tone="good" title={t("confirmEmail.half")}>
          {t(waitsFor === "new" ? "confirmEmail.waitsForNew" : "confirmEmail.waitsForCurrent")}
        </Alert>
      ) : (
        <Form casual>
          {!isSpent && <p className="text-muted">{t(code ? "confirmEmail.text" : "confirmEmail.noCode")}</p>}
          {code && !isSpent && (
            <>
              <input type="hidden" name="code" value={code} />
              <Button variant="primary" size="lg" className="w-full">
                {t("confirmEmail.submit")}
              </Button>
            </>
          )}
        </Form>
      )}
      <p className="mt-6 text-muted text-sm">
        <a href={user ? "/account" : "/login"} className="font-medium text-accent-ink hover:underline">
          {t(user ? "confirmEmail.account" : "backToLogin")}
        </a>
      </p>
    </>
  );
}
