// The installation's retention periods.
import { useTranslation } from "#translations";
import { useData } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { AdminHead } from "../AdminHead.tsx";
import type { RetentionData } from "./+data.ts";
import { kinds } from "./kinds.ts";

const offered = [30, 90, 180, 365, 730, 1825];

export function Page() {
  const { t } = useTranslation("admin");
  const { retention } = useData<RetentionData>();
  /** Keeps a number of days that was set through the API as an option. */
  const optionsOf = (days: number | null) => [
    { value: "", label: t("retention.forever") },
    ...[...new Set([...offered, ...(days === null ? [] : [days])])]
      .sort((one, other) => one - other)
      .map((count) => ({ value: String(count), label: t("retention.days", { count }) })),
  ];
  return (
    <>
      <AdminHead list="retention" />
      <Form className="max-w-xl space-y-4">
        {kinds.map((kind) => (
          <FormField
            key={kind}
            as="select"
            name={kind}
            label={t(`retention.${kind}`)}
            hint={t(`retention.${kind}Hint`)}
            options={optionsOf(retention[kind])}
            defaultValue={retention[kind] ?? ""}
          />
        ))}
        <p className="text-muted text-sm">{t("retention.warning")}</p>
        <Button variant="primary">{t("app:save")}</Button>
      </Form>
    </>
  );
}
