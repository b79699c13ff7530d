// A document's language: detected from its text, or chosen by an editor.

import { documentLanguages } from "#locales/registry.ts";
import { useTranslation } from "#translations";
import { useData, useFormState, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { languageName } from "#web/request/language-name.ts";
import { Button } from "#web/ui/Button.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import type { DocumentData } from "./+data.ts";

export function DocumentLanguage() {
  const { t, i18n } = useTranslation("documents");
  const { document } = useData<DocumentData>();
  const isRefused = useFormState("") !== undefined;
  const nameOf = (code: string) =>
    code === "simple" ? t("language.simple") : languageName(code, i18n.language);
  const found = document.detectedLanguage
    ? t("language.found", { language: nameOf(document.detectedLanguage) })
    : t("language.unknown");
  const shown = document.language ? nameOf(document.language) : found;
  if (!may(useRequest(), "sources.write"))
    return <p className="my-3 text-muted text-sm">{t("language.shown", { language: shown })}</p>;
  return (
    <Fold title={t("language.label")} summary={shown} open={isRefused}>
      <Form>
        <FormField
          as="select"
          name="language"
          label={t("language.field")}
          hint={t("language.hint")}
          defaultValue={document.language ?? ""}
          options={[
            { value: "", label: found },
            ...documentLanguages.map((value) => ({ value, label: nameOf(value) })),
          ]}
        />
        <Button>{t("language.save")}</Button>
      </Form>
    </Fold>
  );
}
