// A team's monthly model budget, and how much of it is used.
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { Section } from "#web/ui/Section.tsx";
import type { ModelsData } from "./+data.ts";
import { dollars } from "./dollars.ts";

export function Budget() {
  const { t } = useTranslation("models");
  const request = useRequest();
  const { budget } = useData<ModelsData>();
  const { cap, installationCap, warnPercent, isNear, isReached } = budget;
  const money = (amount: number) => dollars(amount, request.locale);
  const spent = money(budget.spent);
  const isInstallationsReached = installationCap !== null && budget.installationSpent >= installationCap;
  return (
    <Section title={t("budget.title")} description={t("budget.text")}>
      <div className="max-w-md space-y-4">
        {isReached ? (
          <Alert tone="bad" title={t("budget.reached")}>
            {t(isInstallationsReached ? "budget.installationReached" : "budget.reachedText")}
          </Alert>
        ) : (
          isNear && <Alert tone="careful" title={t("budget.near")} />
        )}
        <p>{cap === null ? t("budget.spent", { spent }) : t("budget.spentOf", { spent, cap: money(cap) })}</p>
        {installationCap !== null && (
          <p className="text-muted text-sm">
            {t("budget.installation", {
              spent: money(budget.installationSpent),
              cap: money(installationCap),
            })}
          </p>
        )}
        {may(request, "models.write") && (
          <Form name="budget">
            <div className="grid gap-4 sm:grid-cols-2">
              <FormField
                form="budget"
                name="cap"
                type="number"
                min={0}
                max={10_000_000}
                step="any"
                label={t("budget.cap")}
                hint={t("budget.capHint")}
                defaultValue={cap ?? undefined}
              />
              <FormField
                form="budget"
                name="warnPercent"
                type="number"
                min={1}
                max={100}
                step={1}
                label={t("budget.warn")}
                hint={t("budget.warnHint")}
                defaultValue={warnPercent}
              />
            </div>
            <Button>{t("budget.save")}</Button>
          </Form>
        )}
      </div>
    </Section>
  );
}
