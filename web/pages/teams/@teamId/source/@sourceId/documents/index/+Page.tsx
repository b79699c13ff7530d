// The documents of a source, and what became of each.
import { FileText, RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../../../components/Button.tsx";
import { CursorPagination } from "../../../../../../../components/CursorPagination.tsx";
import { DataTable } from "../../../../../../../components/DataTable.tsx";
import { DateTime } from "../../../../../../../components/DateTime.tsx";
import { EmptyState } from "../../../../../../../components/EmptyState.tsx";
import { Form } from "../../../../../../../components/Form.tsx";
import { PageHeader } from "../../../../../../../components/PageHeader.tsx";
import { Status } from "../../../../../../../components/Status.tsx";
import { useData, useRequest } from "../../../../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../../../../server/current-team.ts";
import type { DocumentsData } from "./+data.ts";

const working = new Set(["queued", "indexing"]);

export function Page() {
  const { t } = useTranslation("documents");
  const request = useRequest();
  const { data: documents, lastKey, source } = useData<DocumentsData>();
  const team = currentTeam(request);
  const isWorking = working.has(source.status);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: team.name, href: "/dashboard" },
          { label: t("app:nav.sources"), href: teamPath(request, "sources") },
          { label: source.name },
        ]}
        title={source.name}
        mark={<Status value={source.status} />}
        actions={
          team.role !== "viewer" && (
            <Form name={isWorking ? "stop" : "index"}>
              <Button icon={<RefreshCw aria-hidden className="size-4" />}>
                {isWorking ? t("stop") : t("readAgain")}
              </Button>
            </Form>
          )
        }
      >
        {source.error}
      </PageHeader>
      {documents.length === 0 ? (
        <EmptyState icon={<FileText />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={documents}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "title",
              header: t("document"),
              cell: ({ id, title, error }) => (
                <a
                  href={teamPath(request, `source/${source.id}/documents/${id}`)}
                  className="block min-w-0 rounded-sm"
                >
                  <span className="block truncate font-medium">{title}</span>
                  {error && <span className="block truncate text-bad text-sm">{error}</span>}
                </a>
              ),
            },
            { key: "status", header: t("status"), cell: ({ status }) => <Status value={status} /> },
            {
              key: "passages",
              header: t("passages"),
              align: "right",
              minor: true,
              cell: ({ chunksCount }) => chunksCount,
            },
            {
              key: "updated",
              header: t("updated"),
              align: "right",
              minor: true,
              cell: ({ updatedAt }) => (
                <span className="text-muted">
                  <DateTime value={updatedAt} />
                </span>
              ),
            },
          ]}
        />
      )}
      <CursorPagination lastKey={lastKey} />
    </>
  );
}
