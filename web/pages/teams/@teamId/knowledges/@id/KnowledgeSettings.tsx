// A knowledge base's settings, its re-index and its deletion. Server only.

import { RefreshCw, Trash2 } from "lucide-react";
import { documentLanguages } from "#locales/registry.ts";
import { useTranslation } from "#translations";
import { useMustShow } from "#web/render/render-context.tsx";
import type { Knowledge } from "#web/request/api-types.ts";
import { languageName } from "#web/request/language-name.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormNumber } from "#web/ui/FormNumber.tsx";

export function KnowledgeSettings({ knowledge }: { knowledge: Knowledge }) {
  const { t, i18n } = useTranslation("knowledges");
  const mustShow = useMustShow();
  return (
    <aside className="max-lg:mt-10 max-lg:border-line max-lg:border-t max-lg:pt-6">
      <h2 className="mb-4 font-medium text-lg">{t("settings")}</h2>
      <Form version={knowledge.version}>
        <FormField
          as="textarea"
          rows={3}
          name="description"
          label={t("description")}
          aside={t("app:optional")}
          maxLength={2000}
          defaultValue={knowledge.description}
        />
        <FormField
          as="select"
          name="language"
          label={t("language.label")}
          hint={t("language.hint")}
          defaultValue={knowledge.language}
          options={documentLanguages.map((value) => ({
            value,
            label: value === "simple" ? t("language.simple") : languageName(value, i18n.language),
          }))}
        />
        <FormField
          type="number"
          name="warnAfterDays"
          label={t("overdue.label")}
          hint={t("overdue.hint")}
          aside={t("app:optional")}
          min={1}
          max={3650}
          step={1}
          defaultValue={knowledge.warnAfterDays ?? ""}
        />
        <Fold
          title={t("chunking.title")}
          summary={t("chunking.summary", { count: knowledge.chunking.maxTokens })}
          open={mustShow("chunking.maxTokens", "chunking.overlapTokens")}
        >
          <div className="space-y-4">
            <FormNumber
              name="chunking.maxTokens"
              label={t("chunking.max")}
              hint={t("chunking.maxHint")}
              value={knowledge.chunking.maxTokens}
              min={32}
              max={2000}
              step={16}
            />
            <FormNumber
              name="chunking.overlapTokens"
              label={t("chunking.overlap")}
              hint={t("chunking.overlapHint")}
              value={knowledge.chunking.overlapTokens}
              min={0}
              max={1999}
              step={8}
            />
          </div>
        </Fold>
        <Button>{t("app:save")}</Button>
      </Form>
      <div className="mt-8 border-line border-t pt-6">
        <h3 className="font-medium">{t("reindex.title")}</h3>
        <p className="mt-0.5 mb-3 text-muted text-sm">{t("reindex.text")}</p>
        <Form name="index">
          <Button icon={<RefreshCw aria-hidden className="size-4" />}>{t("reindex.button")}</Button>
        </Form>
      </div>
      <div className="mt-8 border-line border-t pt-6">
        <ConfirmDialog
          id="delete-knowledge"
          form="delete"
          icon={<Trash2 aria-hidden className="size-4" />}
          label={t("delete.button")}
          title={t("app:deleteQuestion", { name: knowledge.name })}
          confirm={t("delete.confirm")}
        >
          {t("delete.text")}
        </ConfirmDialog>
      </div>
    </aside>
  );
}
