// A document as indexed, with the quoted passage marked.
import { ExternalLink, RefreshCw } from "lucide-react";
import { useTranslation } from "#translations";
import { LiveTask } from "#web/pages/teams/@teamId/tasks/LiveTask.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DocumentText } from "#web/ui/DocumentText.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { ReadingProblems } from "#web/ui/ReadingProblems.tsx";
import { Status } from "#web/ui/Status.tsx";
import type { DocumentData } from "./+data.ts";
import { DocumentLanguage } from "./DocumentLanguage.tsx";

const mostPages = 50;

export function Page() {
  const { t } = useTranslation("documents");
  const request = useRequest();
  const { document, source, task, marks, tables, quote } = useData<DocumentData>();
  const searched = request.url.searchParams.has("quote");
  return (
    <div className="max-w-3xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("app:nav.sources"), href: teamPath(request, "sources") },
          { label: source.name, href: teamPath(request, `source/${source.id}/documents`) },
          { label: document.title },
        ]}
        title={document.title}
        actions={
          <>
            {may(request, "sources.write") && !task && (
              <Form name="index">
                <Button icon={<RefreshCw aria-hidden className="size-4" />}>{t("readAgain")}</Button>
              </Form>
            )}
            {document.url && (
              <Button
                href={document.url}
                target="_blank"
                rel="noopener noreferrer"
                icon={<ExternalLink aria-hidden className="size-4" />}
              >
                {t("original")}
              </Button>
            )}
          </>
        }
      >
        <span className="inline-flex items-center gap-3 text-sm">
          <Status value={document.status} />
          {t("knowledges:passages", { count: document.chunksCount })}
        </span>
      </PageHeader>
      {task && (
        <div className="mb-4">
          <LiveTask task={task} />
        </div>
      )}
      <ReadingProblems {...document} />
      <DocumentLanguage />
      <ReadPictures />
      {searched && !quote && document.content && (
        <Alert tone="careful" title={t("changed")}>
          {t("changedText")}
        </Alert>
      )}
      {document.content ? (
        <DocumentText content={document.content} marks={marks} tables={tables} quote={quote} />
      ) : (
        !document.error && <EmptyState icon={<ExternalLink />} title={t("unread")} />
      )}
    </div>
  );
}

/** The pages that a model transcribed from images, with its confidence: the text may be wrong. */
function ReadPictures() {
  const { t, i18n } = useTranslation("documents");
  const { marks } = useData<DocumentData>();
  const pages = marks.filter(({ kind, confidence }) => kind === "page" && confidence !== undefined);
  if (pages.length === 0) return null;
  const format = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 0 });
  const shown = pages.slice(0, mostPages).map(({ page, confidence }) => {
    const sure = typeof confidence === "number" ? ` (${format.format(confidence)})` : "";
    return `${t("passages:page", { page })}${sure}`;
  });
  const more = pages.length > mostPages ? "…" : "";
  return (
    <div className="my-3">
      <Alert title={t("pictures.title")}>
        {shown.join(", ")}
        {more} {t("pictures.text")}
      </Alert>
    </div>
  );
}
