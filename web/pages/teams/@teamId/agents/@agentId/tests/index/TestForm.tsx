// The fields of a test.
import { useTranslation } from "#translations";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormCheckbox } from "#web/ui/FormCheckbox.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import type { AgentTest } from "./+data.ts";

export function TestForm({ name, submit, test }: { name: string; submit: string; test?: AgentTest }) {
  const { t } = useTranslation("agentTests");
  return (
    <Form name={name} className="max-w-2xl space-y-4">
      {test && <input type="hidden" name="testId" value={test.id} />}
      <input type="hidden" name="titleBefore" value={test?.expectedTitle ?? ""} />
      <FormField
        as="textarea"
        form={name}
        name="question"
        label={t("form.question")}
        rows={2}
        required
        maxLength={20_000}
        defaultValue={test?.question}
      />
      <FormField
        as="textarea"
        form={name}
        name="facts"
        label={t("form.facts")}
        hint={t("form.factsHint")}
        aside={t("app:optional")}
        rows={3}
        defaultValue={test?.facts.join("\n")}
      />
      <FormField
        form={name}
        name="expectedTitle"
        label={t("form.document")}
        hint={t("form.documentHint")}
        aside={t("app:optional")}
        maxLength={500}
        defaultValue={test?.expectedTitle ?? ""}
      />
      <FormCheckbox
        form={name}
        name="mustRefuse"
        label={t("form.mustRefuse")}
        isChecked={test?.mustRefuse ?? false}
      />
      <Button variant={test ? "secondary" : "primary"}>{submit}</Button>
    </Form>
  );
}
