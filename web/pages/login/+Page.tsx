// Log in, by a plain form. `next` carries where the person wanted to go; `email` comes from the confirm page.
import { useTranslation } from "#translations";
import { Button } from "../../components/Button.tsx";
import { Form } from "../../components/Form.tsx";
import { FormField } from "../../components/FormField.tsx";
import { useRequest } from "../../renderer/render-context.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { url } = useRequest();
  const next = url.searchParams.get("next");
  return (
    <>
      <h1 className="mb-6 font-semibold text-xl">{t("login.title")}</h1>
      <Form casual>
        {next && <input type="hidden" name="next" value={next} />}
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="username"
          required
          autoFocus
          defaultValue={url.searchParams.get("email") ?? ""}
        />
        <FormField
          name="password"
          type="password"
          label={t("password")}
          autoComplete="current-password"
          required
          aside={
            <a href="/forgot-password" className="hover:text-ink hover:underline">
              {t("login.forgot")}
            </a>
          }
        />
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
