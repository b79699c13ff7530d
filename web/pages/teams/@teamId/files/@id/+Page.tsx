// One file: what it is, and the way to its bytes.
import { Download, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { ConfirmDialog } from "../../../../../components/ConfirmDialog.tsx";
import { DateTime } from "../../../../../components/DateTime.tsx";
import { FileSize } from "../../../../../components/FileSize.tsx";
import { PageHeader } from "../../../../../components/PageHeader.tsx";
import { useData, useRequest } from "../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import type { FileData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("files");
  const request = useRequest();
  const file = useData<FileData>();
  const team = currentTeam(request);
  const rows = [
    [t("type.label"), file.contentType],
    [t("size"), <FileSize key="size" bytes={file.size} />],
    [t("added"), <DateTime key="added" value={file.createdAt} />],
    [
      "SHA-256",
      <code key="sha" className="break-all font-mono text-sm">
        {file.sha256}
      </code>,
    ],
  ] as const;
  return (
    <div className="max-w-3xl">
      <PageHeader
        crumbs={[
          { label: team.name, href: "/dashboard" },
          { label: t("title"), href: teamPath(request, "files") },
          { label: file.name },
        ]}
        title={file.name}
        actions={
          <Button
            href={file.url}
            data-reload
            download={file.name}
            icon={<Download aria-hidden className="size-4" />}
          >
            {t("download")}
          </Button>
        }
      />
      <dl className="divide-y divide-line border-line border-y">
        {rows.map(([label, value]) => (
          <div key={label} className="grid grid-cols-[8rem_1fr] gap-4 py-2.5">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
      {team.role !== "viewer" && (
        <div className="mt-8">
          <ConfirmDialog
            id="delete-file"
            form="delete"
            icon={<Trash2 aria-hidden className="size-4" />}
            label={t("delete.button")}
            title={t("delete.title", { name: file.name })}
            confirm={t("delete.confirm")}
          >
            {t("delete.text")}
          </ConfirmDialog>
        </div>
      )}
    </div>
  );
}
