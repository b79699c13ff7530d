// One test in the list: its question and its expectation; for those who may, the fields to change it.
import { useTranslation } from "#translations";
import { useFormState } from "#web/render/render-context.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import type { AgentTest } from "./+data.ts";
import { TestForm } from "./TestForm.tsx";

export function TestRow({ test, mayWrite }: { test: AgentTest; mayWrite: boolean }) {
  const { t } = useTranslation("agentTests");
  const name = `test-${test.id}`;
  const edited = useFormState(name);
  const deleted = useFormState("delete", { testId: test.id });
  const head = (
    <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span className="min-w-0 flex-1 truncate font-medium max-lg:basis-full" dir="auto">
        {test.question}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-1.5">
        {test.mustRefuse && <Badge tone="careful">{t("tests.refuses")}</Badge>}
        {test.facts.length > 0 && <Badge>{t("tests.facts", { count: test.facts.length })}</Badge>}
        {test.expectedTitle && (
          <span className="max-w-56 truncate text-muted text-sm">{test.expectedTitle}</span>
        )}
        {test.expectedTitle && !test.expectedDocumentId && <Badge tone="careful">{t("tests.deleted")}</Badge>}
      </span>
    </span>
  );
  if (!mayWrite) return <li className="py-3">{head}</li>;
  return (
    <li>
      <details open={(edited ?? deleted) !== undefined}>
        <summary className="flex items-center -mx-2 rounded-md px-2 py-3 hover:bg-sunken">{head}</summary>
        <div className="space-y-3 pt-2 pb-5">
          <TestForm name={name} submit={t("form.save")} test={test} />
          <Form name="delete" fields={{ testId: test.id }}>
            <Button variant="ghost">{t("form.delete")}</Button>
          </Form>
        </div>
      </details>
    </li>
  );
}
