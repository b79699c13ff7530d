// Login by a plain form. `next` is the page to return to; `ended` says that a session ended (request/safe-next.ts); `email`
// comes from the confirm page.
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { url } = useRequest();
  const next = url.searchParams.get("next");
  const email = url.searchParams.get("email") ?? "";
  const ended = url.searchParams.get("ended");
  return (
    <>
      <h1 className="mb-6 font-semibold text-xl">{t("login.title")}</h1>
      {(ended === "unsaved" || ended === "reading") && (
        <div className="mb-6">
          <Alert tone="careful" title={t("login.ended")}>
            {t(`login.endedText.${ended}`)}
          </Alert>
        </div>
      )}
      <Form casual>
        {next && <input type="hidden" name="next" value={next} />}
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="username"
          required
          autoFocus={!email}
          defaultValue={email}
        />
        <FormField
          name="password"
          type="password"
          label={t("password")}
          autoComplete="current-password"
          required
          autoFocus={email !== ""}
        />
        {/* Not beside the label: Tab leads from the email to the password. */}
        <p className="text-sm">
          <a href="/forgot-password" className="text-muted hover:text-ink hover:underline">
            {t("login.forgot")}
          </a>
        </p>
        <Button variant="primary" size="lg" className="w-full">
          {t("login.submit")}
        </Button>
      </Form>
      <p className="mt-6 text-muted text-sm">
        {t("login.noAccount")}{" "}
        <a href="/register" className="font-medium text-accent-ink hover:underline">
          {t("login.register")}
        </a>
      </p>
    </>
  );
}
