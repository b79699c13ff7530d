// Imports tests from a CSV file, and reports the rejected rows.

import { useTranslation } from "#translations";
import type { AnswerOf } from "#web/client/api-calls.ts";
import { refusalWords } from "#web/client/failure-words.ts";
import { useRender } from "#web/render/render-context.tsx";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";

type Imported = AnswerOf<"POST", "/v1/teams/{teamId}/agents/{id}/tests/import">;

export function ImportTests() {
  const { t } = useTranslation("agentTests");
  const { form, t: translate } = useRender();
  const mine = form?.name === "import" ? form : undefined;
  const report = mine?.result as Imported | undefined;
  return (
    <Fold title={t("import.title")} open={mine !== undefined}>
      <Form name="import" multipart className="max-w-2xl space-y-4">
        {report && (
          <Alert
            tone={report.refused.length > 0 ? "careful" : "good"}
            title={t("import.added", { count: report.added })}
          >
            {report.unchanged > 0 && <p>{t("import.unchanged", { count: report.unchanged })}</p>}
            {report.refused.length > 0 && (
              <>
                <p>{t("import.refused", { count: report.refused.length })}</p>
                <ul className="mt-1 list-disc pl-5">
                  {report.refused.map(({ line, ...why }) => (
                    <li key={line}>
                      {t("import.line", { line, why: refusalWords({ path: "", ...why }, translate) })}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Alert>
        )}
        <FormField form="import" type="file" name="file" accept=".csv,text/csv" label={t("import.file")} />
        <FormField
          as="textarea"
          form="import"
          name="csv"
          rows={4}
          label={t("import.text")}
          hint={t("import.hint")}
          className="font-mono"
        />
        <Button>{t("import.submit")}</Button>
      </Form>
    </Fold>
  );
}
