// Selects who in Slack may ask. Server only.
import { useTranslation } from "#translations";
import { FormField } from "#web/ui/FormField.tsx";

const audiences = ["members", "guests", "everyone"] as const;

export function AudienceField({ value }: { value: string }) {
  const { t } = useTranslation("apps");
  return (
    <FormField
      as="select"
      name="audience"
      label={t("audience.label")}
      hint={t("audience.hint")}
      defaultValue={value}
      options={audiences.map((one) => ({ value: one, label: t(`audience.${one}`) }))}
    />
  );
}
