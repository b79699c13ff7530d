// A file's versions: who uploaded each and when, with a button to restore an earlier one.
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { FileSize } from "#web/ui/FileSize.tsx";
import type { FileData, FileVersions } from "./+data.ts";

export function Versions() {
  const { t } = useTranslation("files");
  const { versions } = useData<FileData>();
  return (
    <section aria-labelledby="versions" className="mt-8">
      <h2 id="versions" className="mb-2 font-medium text-lg">
        {t("versions.title")}
      </h2>
      <p className="mb-2 text-muted text-sm">{t("versions.intro")}</p>
      <ol className="divide-y divide-line border-line border-y">
        {versions.map((version) => (
          <Version key={version.id} version={version} />
        ))}
      </ol>
    </section>
  );
}

function Version({ version }: { version: FileVersions[number] }) {
  const { t } = useTranslation("files");
  const request = useRequest();
  const { number, name, size, sha256, author, restoredFrom, isCurrent, createdAt } = version;
  const notes = [
    restoredFrom !== null && t("agentTests:versions.restoredFrom", { number: restoredFrom }),
  ].filter(Boolean);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1">
        <h3 className="flex items-center gap-2 font-medium">
          {t("versions.number", { number })}
          {isCurrent && <Badge tone="good">{t("versions.current")}</Badge>}
        </h3>
        <p className="break-words text-muted text-sm">
          {name} · <FileSize bytes={size} /> · <code className="font-mono">{sha256.slice(0, 12)}</code>
        </p>
        <p className="text-muted text-sm">
          <DateTime value={createdAt} />
          {author && ` ${t("versions.by", { name: author.name })}`}
          {notes.map((note) => ` · ${note}`)}
        </p>
      </div>
      {may(request, "files.write") && !isCurrent && (
        <ConfirmDialog
          id={`restore-${number}`}
          form="restore"
          isHarmless
          fields={{ number: String(number) }}
          label={t("versions.restore")}
          title={t("versions.restoreTitle", { number })}
          confirm={t("versions.restoreConfirm")}
        >
          {t("versions.restoreText")}
        </ConfirmDialog>
      )}
    </li>
  );
}
