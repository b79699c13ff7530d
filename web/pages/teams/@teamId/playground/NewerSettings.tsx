// Reports in the playground that somebody else saved the agent while other settings were tried: what they saved, and
// the next actions.
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import type { Option } from "#web/ui/Select.tsx";
import type { AgentSettings } from "./use-trial.ts";

export interface NewerSettingsProps {
  settings: AgentSettings;
  mine: AgentSettings;
  /** Shows the saved settings. */
  href: string;
  knowledges: Option[];
}

/** Inside the form that saves: its first button is the form's. */
export function NewerSettings({ settings, mine, href, knowledges }: NewerSettingsProps) {
  const { t, i18n } = useTranslation("playground");
  const number = numberFormat(i18n.language).format;
  const rows = ({ instructions, knowledgeIds, retrieval, temperature }: AgentSettings) => [
    [t("instructions"), instructions],
    [
      t("knowledge"),
      knowledges.flatMap(({ value, label }) => (knowledgeIds.includes(value) ? [label] : [])).join(", "),
    ],
    [t("mode.label"), t(`mode.${retrieval.mode}`)],
    [t("topK"), number(retrieval.topK)],
    [t("minScore"), number(retrieval.minScore)],
    [t("temperature"), number(temperature)],
  ];
  const own = rows(mine);
  const different = rows(settings).filter(([, value], at) => value !== own[at]?.[1]);
  return (
    <Alert tone="bad" title={t("errors:refusals.changedMeanwhile")}>
      <p>{t("errors:changed.listed")}</p>
      <dl className="mt-2 max-h-48 space-y-1.5 overflow-y-auto">
        {different.map(([label, value]) => (
          <div key={label}>
            <dt className="font-medium">{label}</dt>
            <dd className="whitespace-pre-line">
              {value ? t("errors:changed.value", { value }) : t("errors:changed.empty")}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm">{t("errors:changed.mine")}</Button>
        {/* Opens in a new tab: the settings being tried stay in this one. */}
        <Button size="sm" variant="ghost" href={href} target="_blank">
          {t("errors:changed.newer")}
        </Button>
      </div>
    </Alert>
  );
}
