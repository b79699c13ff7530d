// What people have asked the team's agents.
import { MessagesSquare, ThumbsDown, ThumbsUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../../components/Badge.tsx";
import { Button } from "../../../../components/Button.tsx";
import { CursorPagination } from "../../../../components/CursorPagination.tsx";
import { DataTable } from "../../../../components/DataTable.tsx";
import { DateTime } from "../../../../components/DateTime.tsx";
import { EmptyState } from "../../../../components/EmptyState.tsx";
import { PageHeader } from "../../../../components/PageHeader.tsx";
import { useData, useRequest } from "../../../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../../../server/current-team.ts";
import type { ChatsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("chats");
  const request = useRequest();
  const { data: chats, lastKey, agentNames } = useData<ChatsData>();
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
      >
        {t("intro")}
      </PageHeader>
      {chats.length === 0 ? (
        <EmptyState
          icon={<MessagesSquare />}
          title={t("emptyTitle")}
          action={
            <Button href={teamPath(request, "playground")} variant="primary">
              {t("ask")}
            </Button>
          }
        >
          {t("emptyText")}
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
              cell: ({ id, agentId, title }) => (
                <a
                  href={`/chats/${agentId}?chatId=${id}`}
                  className="block min-w-0 truncate rounded-sm font-medium"
                >
                  {title || t("untitled")}
                </a>
              ),
            },
            {
              key: "agent",
              header: t("agent"),
              minor: true,
              cell: ({ agentId }) => <span className="whitespace-nowrap">{agentNames[agentId] ?? "–"}</span>,
            },
            {
              key: "channel",
              header: t("where"),
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
                  "–"
                ),
            },
            {
              key: "created",
              header: t("begun"),
              align: "right",
              cell: ({ createdAt }) => (
                <span className="text-muted">
                  <DateTime value={createdAt} />
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
