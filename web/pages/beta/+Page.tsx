// The sign-up for the beta list.
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";

export function Page() {
  const { t } = useTranslation("beta");
  const { user } = useRequest();
  return (
    <div className="mx-auto max-w-xl py-10">
      <PageHeader title={t("title")}>{t("intro")}</PageHeader>
      <Form>
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="email"
          required
          maxLength={254}
          defaultValue={user?.email}
        />
        <FormField
          name="name"
          label={t("name")}
          aside={t("app:optional")}
          autoComplete="name"
          maxLength={200}
          defaultValue={user?.name}
        />
        <Button variant="primary">{t("join")}</Button>
      </Form>
    </div>
  );
}
