// One file: its properties, its download, and its versions.
import { Download, Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { DocumentText } from "#web/ui/DocumentText.tsx";
import { FileSize } from "#web/ui/FileSize.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { ReadingProblems } from "#web/ui/ReadingProblems.tsx";
import type { FileData } from "./+data.ts";
import { Versions } from "./Versions.tsx";

export function Page() {
  const { t, i18n } = useTranslation("files");
  const request = useRequest();
  const { file, reading } = useData<FileData>();
  const uses = [...new Set(file.usedIn.flatMap(({ knowledges }) => knowledges.map(({ name }) => name)))];
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
      {reading && (
        <div className="mt-6">
          <ReadingProblems {...reading} />
        </div>
      )}
      <Preview />
      <Uses />
      <Versions />
      {may(request, "files.write") && (
        <div className="mt-8 border-line border-t pt-6">
          <ConfirmDialog
            id="delete-file"
            form="delete"
            icon={<Trash2 aria-hidden className="size-4" />}
            label={t("delete.button")}
            title={t("app:deleteQuestion", { name: file.name })}
            confirm={t("delete.confirm")}
          >
            {uses.length > 0
              ? t("delete.used", { names: new Intl.ListFormat(i18n.language).format(uses) })
              : t("delete.text")}
          </ConfirmDialog>
        </div>
      )}
    </div>
  );
}

/** A preview when possible: an image, or the beginning of a text. */
function Preview() {
  const { t } = useTranslation("files");
  const { file, text } = useData<FileData>();
  if (file.type === "image") {
    return (
      <img
        src={file.url}
        alt={t("previewOf", { name: file.name })}
        className="mt-6 max-h-[32rem] rounded-md border border-line bg-sunken object-contain"
      />
    );
  }
  if (!text) return null;
  return (
    <section aria-labelledby="preview" className="mt-8">
      <h2 id="preview" className="mb-2 font-medium text-lg">
        {t("preview")}
      </h2>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={t("previewOf", { name: file.name })}
        className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-4"
      >
        <DocumentText compact quote={null} content={text.content} marks={text.marks} tables={text.tables} />
      </section>
      {text.more && <p className="mt-1.5 text-muted text-sm">{t("previewMore")}</p>}
    </section>
  );
}

/** The sources that contain the file, with the knowledge bases that use them. */
function Uses() {
  const { t } = useTranslation("files");
  const request = useRequest();
  const { file } = useData<FileData>();
  return (
    <section aria-labelledby="uses" className="mt-8">
      <h2 id="uses" className="mb-2 font-medium text-lg">
        {t("uses")}
      </h2>
      {file.usedIn.length === 0 ? (
        <p className="text-muted">{t("unused")}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {file.usedIn.map(({ sourceId, sourceName, documentId, knowledges }) => (
            <li key={sourceId} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <span className="min-w-0 flex-1">
                {knowledges.length === 0
                  ? sourceName
                  : knowledges.map(({ id, name }) => (
                      <a
                        key={id}
                        href={teamPath(request, `knowledges/${id}`)}
                        className="mr-3 rounded-sm font-medium hover:underline"
                      >
                        {name}
                      </a>
                    ))}
              </span>
              {documentId && (
                <a
                  href={teamPath(request, `source/${sourceId}/documents/${documentId}`)}
                  className="rounded-sm text-accent-ink text-sm underline underline-offset-2"
                >
                  {t("asRead")}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
