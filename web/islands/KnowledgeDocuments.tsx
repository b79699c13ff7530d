// The documents of a knowledge base: drop files in, follow their indexing, see failures and their reasons. Polls while
// work is in progress.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText, RotateCcw } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "#translations";
import { CallFailure, failureToast, getApi, sendApi } from "../client/call-api.ts";
import { showToast, visit } from "../client/page.ts";
import { Queries } from "../client/queries.tsx";
import { ownTimeZone } from "../client/time-zone.ts";
import { useUploads } from "../client/use-uploads.ts";
import { DropZone } from "../pages/teams/@teamId/files/DropZone.tsx";
import { UploadList } from "../pages/teams/@teamId/files/UploadList.tsx";
import {
  type KnowledgeState,
  knowledgeStateKey,
  readKnowledgeState,
} from "../pages/teams/@teamId/knowledges/knowledge-state.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { Status } from "../ui/Status.tsx";

export interface KnowledgeDocumentsProps {
  teamId: string;
  knowledgeId: string;
  /** Address of a source, with {sourceId} as placeholder. */
  sourceAddress: string;
  /** Whether the reader may add and remove documents. */
  mayWrite: boolean;
}

KnowledgeDocuments.namespaces = ["files", "knowledges", "app", "errors"];
KnowledgeDocuments.provider = Queries;

const POLL_MS = 1000;
const busyStatus = new Set(["queued", "indexing", "stopping"]);

const isWorking = ({ task, status }: KnowledgeState) => task !== null || busyStatus.has(status);

export function KnowledgeDocuments({
  teamId,
  knowledgeId,
  sourceAddress,
  mayWrite,
}: KnowledgeDocumentsProps) {
  const { t } = useTranslation("knowledges");
  const queries = useQueryClient();
  const key = knowledgeStateKey(knowledgeId);
  const { data: state } = useQuery({
    queryKey: key,
    queryFn: () => readKnowledgeState(getApi, teamId, knowledgeId, ownTimeZone()),
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? POLL_MS : false),
  });
  const refresh = () => queries.invalidateQueries({ queryKey: key });

  const { add, busy, list } = useUploads(teamId, async (file) => {
    const body = { fileIds: [file.id] };
    await sendApi("PUT", "/v1/teams/{teamId}/knowledges/{id}", { teamId, id: knowledgeId }, body);
    await refresh();
  });

  // The page around the list shows the status of the sources.
  const isBusy = busy || (state !== undefined && isWorking(state));
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy) visit(location.pathname + location.search);
    wasBusy.current = isBusy;
  }, [isBusy]);

  async function attempt(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (error) {
      showToast(failureToast(error, t));
    }
    await refresh();
  }
  const stop = async (id: string) => {
    try {
      await sendApi("DELETE", "/v1/teams/{teamId}/sources/{id}/index", { teamId, id });
    } catch (error) {
      // Only some of the sources are being indexed, or this one has just finished.
      if (!(error instanceof CallFailure && error.code === "CONFLICT")) throw error;
    }
  };
  const readAgain = (sourceId: string, id: string) =>
    sendApi("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", { teamId, sourceId, id });

  const documents = state?.documents ?? [];
  const task = state?.task ?? null;
  return (
    <>
      {mayWrite && <DropZone onFiles={add} compact={documents.length > 0} />}
      <UploadList {...list} />
      {task && (
        <div className="mt-6 flex items-start gap-6">
          <div className="flex-1">
            <ProgressBar {...task.progress} label={t("indexing")}>
              {task.message}
            </ProgressBar>
          </div>
          {mayWrite && task.status !== "stopping" && (
            <Button
              type="button"
              size="sm"
              onClick={() => void attempt(() => Promise.all((state?.sourceIds ?? []).map(stop)))}
            >
              {t("stop")}
            </Button>
          )}
        </div>
      )}
      {documents.length > 0 && (
        <ul
          aria-label={t("documents")}
          aria-live="polite"
          className="mt-6 divide-y divide-line border-line border-y"
        >
          {documents.map(({ id, sourceId, title, status, chunksCount, error }) => (
            <li key={id} className="flex items-start gap-3 py-2.5">
              <FileText aria-hidden className="mt-1 size-4 shrink-0 text-faint" />
              <div className="min-w-0 flex-1">
                <a
                  href={`${sourceAddress.replace("{sourceId}", sourceId)}/documents/${id}`}
                  className="block truncate rounded-sm hover:underline"
                >
                  {title}
                </a>
                {error && <p className="text-bad text-sm">{error}</p>}
              </div>
              <span className="whitespace-nowrap text-muted text-sm tabular-nums max-lg:hidden">
                {t("passages", { count: chunksCount })}
              </span>
              <span className="w-28 text-sm">
                <Status value={status} />
              </span>
              {mayWrite && status === "failed" && (
                // Within the column of the status, so that the columns of all rows stay in line.
                <IconButton
                  label={t("readAgain", { title })}
                  className="-my-1.5 -ml-11 noscript:hidden"
                  onClick={() => void attempt(() => readAgain(sourceId, id))}
                >
                  <RotateCcw aria-hidden className="size-4" />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {state?.more && <p className="mt-2 text-muted text-sm">{t("more")}</p>}
    </>
  );
}
