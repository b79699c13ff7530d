// Creates a new secret for the team's webhook and shows it once.
import { useState } from "react";
import { useTranslation } from "#translations";
import { failureToast, sendOnce } from "../client/call-api.ts";
import { showToast } from "../client/page.ts";
import { Button } from "../ui/Button.tsx";
import { CopyText } from "./CopyText.tsx";

export interface HandoverSecretProps {
  teamId: string;
  hasSecret: boolean;
}

HandoverSecret.namespaces = ["handovers", "errors", "inputs"];

export function HandoverSecret({ teamId, hasSecret }: HandoverSecretProps) {
  const { t } = useTranslation("handovers");
  const [secret, setSecret] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function make() {
    if (busy) return;
    setBusy(true);
    try {
      const made = await sendOnce("/v1/teams/{teamId}/handovers/settings/secret", { teamId });
      setSecret(made.secret ?? null);
    } catch (error) {
      showToast(failureToast(error, t));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="max-w-2xl space-y-3">
      {secret && (
        <div role="status" className="space-y-2 rounded-md bg-good-soft p-4">
          <p className="font-medium text-good">{t("settings.secret.made")}</p>
          <p className="text-sm">{t("settings.secret.once")}</p>
          <CopyText text={secret} label={t("settings.secret.title")} />
        </div>
      )}
      <Button type="button" aria-disabled={busy} onClick={() => void make()}>
        {t(hasSecret || secret ? "settings.secret.again" : "settings.secret.make")}
      </Button>
    </div>
  );
}
