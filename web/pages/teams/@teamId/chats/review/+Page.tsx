// A chat of the team next to its list, with its review.
import { useTranslation } from "#translations";
import { panelCookie, panelSizes } from "#web/client/panel-sizes.ts";
import type { TeamChatsProps } from "#web/islands/TeamChats.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import { chatHref } from "../chat-href.ts";
import type { ChatReviewData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("chats");
  const request = useRequest();
  const { data: chats, lastKey, agents, chat } = useData<ChatReviewData>();
  const { url } = request;
  const nameOf = (agentId: string) => agents.rows.find(({ id }) => id === agentId)?.name ?? "–";
  const listHref = (path: string, change: Record<string, string | null>) => {
    const search = new URLSearchParams(url.search);
    for (const [name, value] of Object.entries(change))
      if (value === null) search.delete(name);
      else search.set(name, value);
    return search.size > 0 ? `${path}?${search}` : path;
  };
  return (
    <>
      <h1 className="sr-only">{chat?.details.title || t("title")}</h1>
      <Island<TeamChatsProps>
        name="TeamChats"
        props={{
          list: {
            chats: chats.map(({ id, agentId, title, channel, feedback, undelivered, createdAt }) => ({
              id,
              title,
              agentName: nameOf(agentId),
              channel,
              rating: feedback?.rating ?? null,
              undelivered,
              createdAt,
              href: chatHref(request, id),
            })),
            allHref: listHref(teamPath(request, "chats"), { chatId: null }),
            nextHref: lastKey ? listHref(url.pathname, { lastKey }) : null,
            startHref: url.searchParams.has("lastKey") ? listHref(url.pathname, { lastKey: null }) : null,
          },
          open: chat && { ...chat, agentHref: teamPath(request, `agents/${chat.agent.id}`) },
          explains: may(request, "knowledges.read"),
          testsAddress:
            chat && may(request, "agents.write")
              ? teamPath(request, `agents/${chat.agent.id}/tests`)
              : undefined,
          sourceAddress: teamPath(request, "source/{sourceId}"),
          sizes: panelSizes(request.cookies.get(panelCookie("chats")), ["list", "conversation", "review"]),
        }}
      />
    </>
  );
}
