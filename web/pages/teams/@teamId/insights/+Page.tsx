// The team's insights as charts; and the questions without a passage, with the next actions.

import { ChartColumn, CircleCheck, Download, Plus } from "lucide-react";
import { useTranslation } from "#translations";
import { dayIn } from "#web/client/days.ts";
import type { DateRangeProps } from "#web/islands/DateRange.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { CursorPagination } from "#web/ui/CursorPagination.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { FilterChoice } from "#web/ui/FilterChoice.tsx";
import { FilterForm, FilterSelect } from "#web/ui/FilterForm.tsx";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { chatHref } from "../chats/chat-href.ts";
import type { InsightsData } from "./+data.ts";
import { InsightCharts } from "./InsightCharts.tsx";
import { InsightFigures } from "./InsightFigures.tsx";
import { InsightSupport } from "./InsightSupport.tsx";

export function Page() {
  const { t } = useTranslation("insights");
  const request = useRequest();
  const { total, previous, support, rows, group, agents, agent, csv } = useData<InsightsData>();
  const nothing = total.messages + total.chats + previous.chats === 0;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          ...(agent
            ? [{ label: t("title"), href: teamPath(request, "insights") }, { label: agent.name }]
            : [{ label: t("title") }]),
        ]}
        title={agent ? t("titleOf", { name: agent.name }) : t("title")}
        actions={
          <Button href={csv} download icon={<Download aria-hidden className="size-4" />}>
            {t("csv")}
          </Button>
        }
      >
        {t("intro")}
      </PageHeader>
      <FilterForm label={t("filter.label")} names={["agentId", "dateStart", "dateEnd", "group"]}>
        <Island<DateRangeProps>
          name="DateRange"
          props={{
            label: t("filter.range"),
            start: total.dateStart,
            end: total.dateEnd,
            last: dayIn(new Date(), request.timeZone),
          }}
        />
        <FilterChoice name="agentId" label={t("filter.agent")} all={t("filter.allAgents")} choices={agents} />
        <FilterSelect
          name="group"
          label={t("filter.group")}
          all={t("group.day")}
          options={[
            { value: "week", label: t("group.week") },
            { value: "month", label: t("group.month") },
          ]}
        />
      </FilterForm>
      {nothing ? (
        <EmptyState
          icon={<ChartColumn />}
          title={t("empty.title")}
          action={
            <OfferedButton href={teamPath(request, "playground")} variant="primary">
              {t("empty.action")}
            </OfferedButton>
          }
        >
          {t("empty.text")}
        </EmptyState>
      ) : (
        <>
          <InsightFigures total={total} previous={previous} />
          <InsightSupport support={support} range={total} agentId={agent?.id} />
          <InsightCharts rows={rows} total={total} group={group} />
        </>
      )}
      {!nothing && <Questions />}
    </>
  );
}

/** The questions for which search found no passage. */
function Questions() {
  const { t } = useTranslation("insights");
  const request = useRequest();
  const { questions, agents } = useData<InsightsData>();
  const mayAdd = may(request, "knowledges.write");
  const addTo = (agentId: string) => {
    const [knowledgeId] = agents.rows.find(({ id }) => id === agentId)?.knowledgeIds ?? [];
    return teamPath(request, knowledgeId ? `knowledges/${knowledgeId}` : "knowledges/create");
  };
  return (
    <div className="mt-12" id="questions">
      <Section title={t("questions.title")} description={t("questions.text")}>
        {questions.data.length === 0 ? (
          <p className="flex items-center gap-2 text-muted">
            <CircleCheck aria-hidden className="size-4 text-good" />
            {may(request, "chats.read") ? t("questions.none") : t("questions.own")}
          </p>
        ) : (
          <DataTable
            caption={t("questions.title")}
            rows={questions.data}
            rowKey={({ id }) => id}
            columns={[
              {
                key: "question",
                header: t("questions.question"),
                cell: ({ chatId, question }) => (
                  <a
                    href={chatHref(request, chatId)}
                    className="block min-w-0 truncate rounded-sm font-medium"
                  >
                    {question || t("questions.gone")}
                  </a>
                ),
              },
              {
                key: "agent",
                header: t("questions.agent"),
                minor: true,
                cell: ({ agentId }) => (
                  <span className="whitespace-nowrap">
                    {agents.rows.find(({ id }) => id === agentId)?.name ?? "–"}
                  </span>
                ),
              },
              {
                key: "channel",
                header: t("questions.where"),
                minor: true,
                cell: ({ channel }) => <Badge>{t(`chats:channel.${channel}`)}</Badge>,
              },
              {
                key: "asked",
                header: t("questions.asked"),
                align: "right",
                minor: true,
                cell: ({ askedAt }) => <DateCell value={askedAt} />,
              },
              ...(mayAdd
                ? [
                    {
                      key: "add",
                      header: <span className="sr-only">{t("questions.next")}</span>,
                      align: "right" as const,
                      isWhole: true,
                      cell: ({ agentId }: { agentId: string }) => (
                        <Button
                          href={addTo(agentId)}
                          size="sm"
                          icon={<Plus aria-hidden className="size-3.5" />}
                        >
                          <span className="max-sm:sr-only">{t("questions.add")}</span>
                          <span aria-hidden className="sm:hidden">
                            {t("questions.addShort")}
                          </span>
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
        <CursorPagination lastKey={questions.lastKey} />
      </Section>
    </div>
  );
}
