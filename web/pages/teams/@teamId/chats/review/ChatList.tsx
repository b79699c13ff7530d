// A team's chats in a narrow list next to the open one. Arrow keys move between them.
import { ThumbsDown, ThumbsUp, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "#translations";
import { DateTime } from "#web/ui/DateTime.tsx";
import { ScrollArea } from "#web/ui/ScrollArea.tsx";

interface ListedChat {
  id: string;
  title: string;
  agentName: string;
  channel: string;
  rating: "up" | "down" | null;
  undelivered?: true;
  createdAt: string;
  href: string;
}

export interface ChatListProps {
  chats: ListedChat[];
  chatId: string | null;
  /** Addresses of the whole list, of the next part of it, and of its start. */
  allHref: string;
  nextHref: string | null;
  startHref: string | null;
}

export function ChatList({ chats, chatId, allHref, nextHref, startHref }: ChatListProps) {
  const { t } = useTranslation("chats");
  const list = useRef<HTMLUListElement>(null);
  // Scrolls the open chat into view when the page is first shown; afterwards the list keeps its position.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.findIndex((link) => link.matches(":focus"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    const link = to === undefined ? undefined : links[to];
    if (!link) return;
    event.preventDefault();
    link.focus();
  }
  const turn = "rounded-md px-2.5 py-1.5 font-medium text-sm hover:bg-hover";
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-2 border-line border-b px-4 py-1.5">
        <h2 className="font-medium">{t("title")}</h2>
        <a
          href={allHref}
          className="-mx-2 shrink-0 rounded-md px-2 py-1 text-accent-ink text-sm hover:bg-hover"
        >
          {t("review.filter")}
        </a>
      </div>
      <ScrollArea className="min-h-0 flex-1">
        <nav aria-label={t("title")}>
          <ul ref={list} onKeyDown={onKeyDown} className="divide-y divide-line">
            {chats.map((chat) => (
              <li key={chat.id}>
                <a
                  href={chat.href}
                  aria-current={chat.id === chatId ? "page" : undefined}
                  className="-outline-offset-2 block px-4 py-2.5 hover:bg-hover aria-[current]:bg-accent-soft"
                >
                  <span className="flex items-center gap-2">
                    <span dir="auto" className="min-w-0 flex-1 truncate font-medium text-sm">
                      {chat.title || t("untitled")}
                    </span>
                    {chat.undelivered && (
                      <TriangleAlert aria-label={t("undelivered")} className="size-3.5 shrink-0 text-bad" />
                    )}
                    {chat.rating === "up" && (
                      <ThumbsUp aria-label={t("good")} className="size-3.5 shrink-0 text-good" />
                    )}
                    {chat.rating === "down" && (
                      <ThumbsDown aria-label={t("bad")} className="size-3.5 shrink-0 text-bad" />
                    )}
                  </span>
                  <span className="mt-0.5 flex items-baseline gap-2 text-muted text-xs">
                    <span className="min-w-0 flex-1 truncate">
                      {chat.agentName} · {t(`channel.${chat.channel}`)}
                    </span>
                    <DateTime value={chat.createdAt} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {(nextHref || startHref) && (
            <p className="flex justify-end gap-1 border-line border-t p-2">
              {startHref && (
                <a href={startHref} className={turn}>
                  {t("review.first")}
                </a>
              )}
              {nextHref && (
                <a href={nextHref} rel="next" className={turn}>
                  {t("review.older")}
                </a>
              )}
            </p>
          )}
        </nav>
      </ScrollArea>
    </div>
  );
}
