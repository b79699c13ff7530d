// How much a team stores, and how much it may where the operator limits it.
import { useTranslation } from "#translations";
import type { AnswerOf } from "#web/client/api-calls.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { sizeText } from "#web/ui/FileSize.tsx";
import { ProgressBar } from "#web/ui/ProgressBar.tsx";

export type Storage = AnswerOf<"GET", "/v1/teams/{teamId}/storage">;

const mib = 1024 * 1024;
/** From this share on the page says that little is left. */
const near = 0.9;

export function StorageUse({ storage }: { storage: Storage }) {
  const { t, i18n } = useTranslation("files");
  const limit = storage.limit ?? 0;
  if (storage.limit === null) {
    const size = sizeText(storage.used, i18n.language);
    return <p className="text-muted text-sm tabular-nums">{t("storage.used", { size })}</p>;
  }
  // As the operator sets the limit, and as a refusal says it.
  const sizes = { used: Math.floor(storage.used / mib), limit: Math.floor(limit / mib) };
  return (
    <div className="max-w-md space-y-4">
      {storage.used >= limit * near && (
        <Alert
          tone={storage.used >= limit ? "bad" : "careful"}
          title={t(storage.used >= limit ? "storage.full" : "storage.near")}
        >
          {t("storage.more")}
        </Alert>
      )}
      <ProgressBar done={storage.used} total={limit} label={t("storage.title")}>
        {t("storage.usedOf", sizes)}
      </ProgressBar>
    </div>
  );
}
