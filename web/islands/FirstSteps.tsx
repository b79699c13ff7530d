// A team's first files: dropped, indexed one by one, counted; then the agent that answers from them, and questions that
// it answers.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "#translations";
import type { DocumentLanguage } from "../../locales/registry.ts";
import { getApi, sendOnce } from "../client/call-api.ts";
import { numberFormat } from "../client/per-language.ts";
import { Queries } from "../client/queries.tsx";
import { ownTimeZone } from "../client/time-zone.ts";
import { useUploads } from "../client/use-uploads.ts";
import { FirstAgent } from "../pages/onboarding/FirstAgent.tsx";
import { FoundQuestions } from "../pages/onboarding/FoundQuestions.tsx";
import { firstStepsKey, readFirstSteps } from "../pages/onboarding/first-steps.ts";
import { ReadFiles } from "../pages/onboarding/ReadFiles.tsx";
import { DropZone } from "../pages/teams/@teamId/files/DropZone.tsx";
import { UploadList } from "../pages/teams/@teamId/files/UploadList.tsx";
import type { Locale } from "../render/locale.ts";
import { ProgressBar } from "../ui/ProgressBar.tsx";

export interface FirstStepsProps {
  teamId: string;
  /** Language of the files' content. */
  language: DocumentLanguage;
  locale: Locale;
  /** Address of the team's pages, without a trailing slash. */
  team: string;
  /** Whether the reader may add files. */
  mayAdd: boolean;
}

FirstSteps.namespaces = ["onboarding", "files", "passages", "errors"];
FirstSteps.provider = Queries;

const POLL_MS = 1000;

export function FirstSteps({ teamId, language, locale, team, mayAdd }: FirstStepsProps) {
  const { t } = useTranslation("onboarding");
  const queries = useQueryClient();
  const queryKey = firstStepsKey(teamId);
  const { data: steps } = useQuery({
    queryKey,
    queryFn: () => readFirstSteps(getApi, teamId, ownTimeZone()),
    refetchInterval: ({ state: { data } }) =>
      data && (data.state === "reading" || data.state === "looking") ? POLL_MS : false,
  });
  // Each file as soon as it is uploaded: it then belongs to the team, even if this page is closed.
  const { uploads, add, list } = useUploads(teamId, async ({ id }) => {
    const given = { fileIds: [id], language };
    await sendOnce("/v1/teams/{teamId}/onboarding", { teamId }, given);
    await queries.invalidateQueries({ queryKey });
  });
  if (!steps) return null;
  const { state, knowledge, agent, questions } = steps;
  const isReading = state === "reading" || uploads.some(({ state: one }) => one !== "failed");
  const has = knowledge !== null && agent !== null && !isReading && knowledge.documentsCount > 0;
  const count = (value: number) => numberFormat(locale).format(value);
  return (
    <>
      {mayAdd && <DropZone onFiles={add} name="file" compact={knowledge !== null} />}
      <UploadList {...list} />
      {knowledge && (
        <ReadFiles documents={knowledge.documents} mayAdd={mayAdd} address={`${team}/source/{sourceId}`} />
      )}
      {knowledge?.more && <p className="mt-2 text-muted text-sm">{t("files.more")}</p>}
      {knowledge?.task && (
        <div className="mt-6" aria-live="polite">
          <ProgressBar {...knowledge.task.progress} label={t("files.reading")}>
            {knowledge.task.message}
          </ProgressBar>
        </div>
      )}
      {has && (
        <>
          <h2 className="mt-10 font-semibold text-xl tabular-nums" aria-live="polite">
            {t("counted", {
              documents: t("documents", {
                count: knowledge.documentsCount,
                number: count(knowledge.documentsCount),
              }),
              passages: t("passages", { count: knowledge.chunksCount, number: count(knowledge.chunksCount) }),
            })}
          </h2>
          <FirstAgent agent={agent} team={team} mayPublish={mayAdd} />
          <FoundQuestions
            agent={agent}
            questions={questions}
            isLooking={state === "looking"}
            address={`${team}/source/{sourceId}`}
          />
        </>
      )}
    </>
  );
}
