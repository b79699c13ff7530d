// The team's chats.

import { ChartColumn, MessagesSquare, ThumbsDown, ThumbsUp } from "lucide-react";
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
import { FilterForm, FilterSearch, FilterSelect } from "#web/ui/FilterForm.tsx";
import { OfferedButton } from "#web/ui/OfferedButton.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { chatHref } from "../chat-href.ts";
import { type ChatsData, chatFilters } from "./+data.ts";

const channels = ["web", "playground", "widget", "slack", "api"];
const supportStates = ["answered", "partly", "notFound", "disagree", "unchecked"];

export function Page() {
  const { t } = useTranslation("chats");
  const request = useRequest();
  const { data: chats, lastKey, agents } = useData<ChatsData>();
  const { searchParams } = request.url;
  const filtered = chatFilters.some((name) => searchParams.get(name));
  const nameOf = (agentId: string) => agents.rows.find(({ id }) => id === agentId)?.name ?? "–";
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
        actions={
          may(request, "insights.read") && (
            <Button
              href={teamPath(request, "insights")}
              icon={<ChartColumn aria-hidden className="size-4" />}
            >
              {t("app:nav.insights")}
            </Button>
          )
        }
      >
        {may(request, "chats.read") ? t("intro") : t("introOwn")}
      </PageHeader>
      {(chats.length > 0 || filtered || searchParams.has("lastKey")) && (
        <FilterForm label={t("filter.label")} names={chatFilters}>
          <FilterSearch label={t("filter.search")} />
          <FilterChoice name="agentId" label={t("agent")} all={t("filter.allAgents")} choices={agents} />
          <FilterSelect
            name="channel"
            label={t("where")}
            all={t("filter.everywhere")}
            options={channels.map((value) => ({ value, label: t(`channel.${value}`) }))}
          />
          <FilterSelect
            name="rating"
            label={t("feedback")}
            all={t("filter.anyRating")}
            options={[
              { value: "up", label: t("filter.up") },
              { value: "down", label: t("filter.down") },
            ]}
          />
          <FilterSelect
            name="support"
            label={t("support.label")}
            all={t("support.any")}
            options={supportStates.map((value) => ({ value, label: t(`support.${value}`) }))}
          />
          <Island<DateRangeProps>
            name="DateRange"
            props={{
              label: t("begun"),
              start: searchParams.get("dateStart"),
              end: searchParams.get("dateEnd"),
              last: dayIn(new Date(), request.timeZone),
              clearable: true,
            }}
          />
        </FilterForm>
      )}
      {chats.length === 0 ? (
        <EmptyState
          icon={<MessagesSquare />}
          title={filtered ? t("noMatch") : t("emptyTitle")}
          action={
            filtered ? (
              <Button href={request.url.pathname}>{t("app:filter.clear")}</Button>
            ) : (
              <OfferedButton href={teamPath(request, "playground")} variant="primary">
                {t("ask")}
              </OfferedButton>
            )
          }
        >
          {!filtered && t("emptyText")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={chats}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "title",
              header: t("chat"),
              cell: ({ id, title, summary, undelivered }) => (
                <>
                  <RowLink href={chatHref(request, id)} title={title || t("untitled")} detail={summary} />
                  {undelivered && <Badge tone="bad">{t("undelivered")}</Badge>}
                </>
              ),
            },
            {
              key: "agent",
              header: t("agent"),
              minor: true,
              cell: ({ agentId }) => <span className="block max-w-48 truncate">{nameOf(agentId)}</span>,
            },
            {
              key: "channel",
              header: t("where"),
              minor: true,
              cell: ({ channel }) => <Badge>{t(`channel.${channel}`)}</Badge>,
            },
            {
              key: "feedback",
              header: t("feedback"),
              minor: true,
              cell: ({ feedback }) =>
                feedback?.rating === "up" ? (
                  <ThumbsUp aria-label={t("good")} className="size-4 text-good" />
                ) : feedback?.rating === "down" ? (
                  <ThumbsDown aria-label={t("bad")} className="size-4 text-bad" />
                ) : (
                  <span className="text-faint">–</span>
                ),
            },
            {
              key: "created",
              header: t("begun"),
              align: "right",
              cell: ({ createdAt }) => <DateCell value={createdAt} />,
            },
          ]}
        />
      )}
      <CursorPagination lastKey={lastKey} />
    </>
  );
}
