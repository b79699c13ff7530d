// A document as it was read, with the quoted passage marked.
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Alert } from "../../../../../../../components/Alert.tsx";
import { Button } from "../../../../../../../components/Button.tsx";
import { DocumentText } from "../../../../../../../components/DocumentText.tsx";
import { EmptyState } from "../../../../../../../components/EmptyState.tsx";
import { PageHeader } from "../../../../../../../components/PageHeader.tsx";
import { Status } from "../../../../../../../components/Status.tsx";
import { useData, useRequest } from "../../../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../../../server/current-team.ts";
import type { DocumentData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("documents");
  const request = useRequest();
  const { document, source, marks, quote } = useData<DocumentData>();
  const searched = request.url.searchParams.has("quote");
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("app:nav.sources"), href: teamPath(request, "sources") },
          { label: source.name, href: teamPath(request, `source/${source.id}/documents`) },
          { label: document.title },
        ]}
        title={document.title}
        actions={
          document.url && (
            <Button
              href={document.url}
              target="_blank"
              rel="noopener noreferrer"
              icon={<ExternalLink aria-hidden className="size-4" />}
            >
              {t("original")}
            </Button>
          )
        }
      >
        <span className="inline-flex items-center gap-3 text-sm">
          <Status value={document.status} />
          {t("knowledges:passages", { count: document.chunksCount })}
        </span>
      </PageHeader>
      {document.error && (
        <Alert tone="bad" title={t("failed")}>
          {document.error}
        </Alert>
      )}
      {searched && !quote && document.content && (
        <Alert tone="careful" title={t("changed")}>
          {t("changedText")}
        </Alert>
      )}
      {document.content ? (
        <DocumentText content={document.content} marks={marks} quote={quote} />
      ) : (
        !document.error && <EmptyState icon={<ExternalLink />} title={t("unread")} />
      )}
    </div>
  );
}
