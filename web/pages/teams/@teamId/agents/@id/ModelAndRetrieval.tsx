// The model of an agent and how it searches, as a collapsed part of its form.
import { useTranslation } from "#translations";
import { useData, useMustShow } from "#web/render/render-context.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormNumber } from "#web/ui/FormNumber.tsx";
import type { AgentData } from "./+data.ts";

const modes = ["hybrid", "vector", "text"];
const unsupported = ["mark", "omit", "ignore"];

export function ModelAndRetrieval() {
  const { t } = useTranslation("agents");
  const { agent } = useData<AgentData>();
  const mustShow = useMustShow();
  return (
    <Fold
      title={t("sections.model")}
      summary={[agent.model || t("model.default"), t(`mode.${agent.retrieval.mode}`)].join(" · ")}
      open={mustShow(
        "model",
        "temperature",
        "retrieval.topK",
        "retrieval.minScore",
        "retrieval.mode",
        "unsupportedClaims",
      )}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          name="model"
          label={t("model.label")}
          hint={t("model.hint")}
          placeholder={t("model.default")}
          maxLength={200}
          defaultValue={agent.model}
        />
        <FormNumber
          name="temperature"
          label={t("temperature.label")}
          hint={t("temperature.hint")}
          value={agent.temperature}
          min={0}
          max={2}
          step={0.1}
        />
        <FormField
          as="select"
          name="retrieval.mode"
          label={t("mode.label")}
          hint={t("mode.hint")}
          defaultValue={agent.retrieval.mode}
          options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        />
        <FormField
          as="select"
          name="unsupportedClaims"
          label={t("unsupported.label")}
          hint={t("unsupported.hint")}
          defaultValue={agent.unsupportedClaims}
          options={unsupported.map((value) => ({ value, label: t(`unsupported.${value}`) }))}
        />
        <FormNumber
          name="retrieval.topK"
          label={t("topK.label")}
          hint={t("topK.hint")}
          value={agent.retrieval.topK}
          min={1}
          max={50}
        />
        <FormNumber
          name="retrieval.minScore"
          label={t("minScore.label")}
          hint={t("minScore.hint")}
          value={agent.retrieval.minScore}
          min={0}
          max={1}
          step={0.05}
        />
      </div>
    </Fold>
  );
}
