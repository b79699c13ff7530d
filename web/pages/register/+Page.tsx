// Registration. Errors are shown at their fields.
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { url } = useRequest();
  return (
    <>
      <h1 className="font-semibold text-xl">{t("register.title")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("register.intro")}</p>
      <Form casual>
        <FormField name="name" label={t("name")} autoComplete="name" required maxLength={200} autoFocus />
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="email"
          required
          maxLength={254}
          defaultValue={url.searchParams.get("email") ?? ""}
        />
        <FormField
          name="password"
          type="password"
          label={t("password")}
          hint={t("passwordHint")}
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={72}
        />
        <Button variant="primary" size="lg" className="w-full">
          {t("register.submit")}
        </Button>
      </Form>
      <p className="mt-6 text-muted text-sm">
        {t("register.haveAccount")}{" "}
        <a href="/login" className="font-medium text-accent-ink hover:underline">
          {t("login.title")}
        </a>
      </p>
    </>
  );
}
