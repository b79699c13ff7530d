// Questions without a good answer, those of the most people first, each with a button to answer it.
import { MessageCircleQuestionMark, PenLine } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { FilterChoice } from "#web/ui/FilterChoice.tsx";
import { FilterForm, FilterSelect } from "#web/ui/FilterForm.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { reasonOf } from "../gap-reason.ts";
import type { Gap, GapsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("gaps");
  const request = useRequest();
  const { gaps, agents, isFiltered } = useData<GapsData>();
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      {(gaps.total > 0 || isFiltered) && (
        <FilterForm label={t("filter.label")} names={["state", "reason", "agentId"]}>
          <FilterSelect
            name="state"
            label={t("filter.state")}
            all={t("state.open")}
            options={(["answered", "dismissed"] as const).map((value) => ({
              value,
              label: t(`state.${value}`),
            }))}
          />
          <FilterSelect
            name="reason"
            label={t("filter.reason")}
            all={t("filter.allReasons")}
            options={(["missing", "notFound", "disagree"] as const).map((value) => ({
              value,
              label: t(`reason.${value}`),
            }))}
          />
          <FilterChoice
            name="agentId"
            label={t("filter.agent")}
            all={t("filter.allAgents")}
            choices={agents}
          />
        </FilterForm>
      )}
      {gaps.total === 0 ? (
        <EmptyState
          icon={<MessageCircleQuestionMark />}
          title={t(isFiltered ? "empty.filtered" : "empty.title")}
        >
          {isFiltered ? undefined : t("empty.text")}
        </EmptyState>
      ) : (
        <>
          <Gaps rows={gaps.data} mayWrite={may(request, "sources.write")} />
          <Pagination page={gaps.page} perPage={gaps.perPage} total={gaps.total} />
        </>
      )}
    </>
  );
}

function Gaps({ rows, mayWrite }: { rows: Gap[]; mayWrite: boolean }) {
  const { t } = useTranslation("gaps");
  const request = useRequest();
  const href = (id: string) => teamPath(request, `gaps/${id}`);
  return (
    <DataTable
      caption={t("title")}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "question",
          header: t("question"),
          cell: ({ id, question, searchedFor, agentName, again }) => (
            <>
              <a href={href(id)} className="block truncate rounded-sm font-medium" dir="auto">
                {question}
              </a>
              {searchedFor && (
                <span
                  className="line-clamp-2 whitespace-normal text-muted text-sm [overflow-wrap:anywhere]"
                  dir="auto"
                >
                  {t("passages:searchedFor", { question: searchedFor })}
                </span>
              )}
              <span className="block truncate text-muted text-sm">
                {agentName}
                {again &&
                  ` · ${t("taskMessages:askedAgain", { answered: again.answered, total: again.total })}`}
              </span>
            </>
          ),
        },
        { key: "people", header: t("people"), align: "right", cell: ({ people }) => people },
        {
          key: "questions",
          header: t("questions"),
          align: "right",
          minor: true,
          cell: ({ questions }) => questions,
        },
        {
          key: "reason",
          header: t("reason.header"),
          minor: true,
          cell: (gap) => (
            <Badge tone={gap.reason === "missing" ? "neutral" : "careful"}>
              {t(`reason.${reasonOf(gap)}`)}
            </Badge>
          ),
        },
        {
          key: "asked",
          header: t("lastAsked"),
          align: "right",
          minor: true,
          cell: ({ lastAskedAt }) => (
            <span className="whitespace-nowrap text-muted">
              <DateTime value={lastAskedAt} />
            </span>
          ),
        },
        ...(mayWrite
          ? [
              {
                key: "answer",
                header: <span className="sr-only">{t("next")}</span>,
                align: "right" as const,
                // On a narrow screen the question links there itself, and needs the space.
                minor: true,
                cell: ({ id, question }: Gap) => (
                  <Button
                    href={`${href(id)}#write`}
                    size="sm"
                    icon={<PenLine aria-hidden className="size-3.5" />}
                    aria-label={t("writeFor", { question })}
                  >
                    {t("write")}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
