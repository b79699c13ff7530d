// A new password in two steps: request the mail; then choose the password through its link.
import { useTranslation } from "#translations";
import { useRender, useRequest } from "../../render/render-context.tsx";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const query = useRequest().url.searchParams;
  const email = query.get("email") ?? "";
  return (
    <>
      <h1 className="mb-6 font-semibold text-xl">{t(query.has("code") ? "reset.title" : "forgot.title")}</h1>
      {query.has("code") ? (
        <Reset email={email} code={query.get("code") ?? ""} />
      ) : (
        <Ask email={email} sent={query.has("sent")} />
      )}
      <p className="mt-6 text-muted text-sm">
        <a href="/login" className="font-medium text-accent-ink hover:underline">
          {t("backToLogin")}
        </a>
      </p>
    </>
  );
}

function Ask({ email, sent }: { email: string; sent: boolean }) {
  const { t } = useTranslation("auth");
  const { mailboxUrl } = useRequest();
  return (
    <Form casual name="ask">
      {sent && (
        <Alert tone="good" title={t("forgot.sent")}>
          {t("forgot.sentText")}{" "}
          {mailboxUrl && (
            <a href={mailboxUrl} target="_blank" rel="noreferrer" className="underline underline-offset-2">
              {t("confirm.mailbox")}
            </a>
          )}
        </Alert>
      )}
      <FormField
        form="ask"
        name="email"
        type="email"
        label={t("email")}
        autoComplete="username"
        required
        defaultValue={email}
      />
      <Button variant="primary" size="lg" className="w-full">
        {t("forgot.submit")}
      </Button>
    </Form>
  );
}

function Reset({ email, code }: { email: string; code: string }) {
  const { t } = useTranslation("auth");
  const isSpent = useRender().form?.errors.code !== undefined;
  return (
    <Form casual name="reset">
      {isSpent && (
        <Button href={`/forgot-password?${new URLSearchParams({ email })}`} size="lg" className="w-full">
          {t("reset.again")}
        </Button>
      )}
      <input type="hidden" name="code" value={code} />
      <FormField
        form="reset"
        name="email"
        type="email"
        label={t("email")}
        autoComplete="username"
        required
        defaultValue={email}
      />
      <FormField
        form="reset"
        name="password"
        type="password"
        label={t("reset.password")}
        hint={t("passwordHint")}
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={72}
      />
      <Button variant="primary" size="lg" className="w-full">
        {t("reset.submit")}
      </Button>
    </Form>
  );
}
