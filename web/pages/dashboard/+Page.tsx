// The overview of a team: its numbers, its agents, the last conversations.
import { ListChecks, MessagesSquare, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/Avatar.tsx";
import { Badge } from "../../components/Badge.tsx";
import { Button } from "../../components/Button.tsx";
import { DateTime } from "../../components/DateTime.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { useData, useRequest } from "../../renderer/render-context.tsx";
import { currentTeam, teamPath } from "../../server/current-team.ts";
import type { DashboardData } from "./+data.ts";

export function Page() {
  const { t, i18n } = useTranslation("dashboard");
  const request = useRequest();
  const { agents, chats, knowledges, files } = useData<DashboardData>();
  const number = new Intl.NumberFormat(i18n.language);
  const figures = [
    { label: t("app:nav.agents"), value: agents.total, href: teamPath(request, "agents") },
    { label: t("app:nav.knowledges"), value: knowledges, href: teamPath(request, "knowledges") },
    { label: t("app:nav.files"), value: files, href: teamPath(request, "files") },
  ];
  const starting = agents.total === 0 || knowledges === 0 || chats.data.length === 0;
  return (
    <>
      <PageHeader
        title={currentTeam(request).name}
        actions={
          <>
            {starting && (
              <Button href="/onboarding" icon={<ListChecks aria-hidden className="size-4" />}>
                {t("app:nav.onboarding")}
              </Button>
            )}
            <Button
              href={teamPath(request, "agents/create")}
              variant="primary"
              icon={<Plus aria-hidden className="size-4" />}
            >
              {t("agents:list.create")}
            </Button>
          </>
        }
      />
      <dl className="mb-10 grid grid-cols-3 border-line border-y sm:divide-x sm:divide-line">
        {figures.map(({ label, value, href }) => (
          <div
            key={href}
            className="relative flex flex-col-reverse px-4 py-4 first:pl-0 hover:bg-sunken sm:first:pl-4"
          >
            <dt className="text-muted text-sm">
              <a href={href} className="after:absolute after:inset-0">
                {label}
              </a>
            </dt>
            <dd className="font-semibold text-2xl tabular-nums">{number.format(value)}</dd>
          </div>
        ))}
      </dl>
      <div className="grid grid-cols-1 gap-12 lg:grid-cols-2">
        <section aria-labelledby="agents">
          <h2 id="agents" className="mb-2 font-medium text-lg">
            {t("app:nav.agents")}
          </h2>
          {agents.data.length === 0 ? (
            <p className="text-muted">{t("agents:list.emptyText")}</p>
          ) : (
            <ul className="divide-y divide-line border-line border-y">
              {agents.data.map(({ id, name, visibility }) => (
                <li key={id}>
                  <a
                    href={teamPath(request, `agents/${id}`)}
                    className="flex items-center gap-3 py-2.5 hover:bg-sunken"
                  >
                    <Avatar name={name} shape="square" />
                    <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                    <Badge tone={visibility === "public" ? "good" : "neutral"}>
                      {t(`agents:visibility.${visibility}`)}
                    </Badge>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </section>
        <section aria-labelledby="chats">
          <h2 id="chats" className="mb-2 font-medium text-lg">
            {t("chats")}
          </h2>
          {chats.data.length === 0 ? (
            <EmptyState icon={<MessagesSquare />} title={t("noChats")}>
              {t("noChatsText")}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line border-line border-y">
              {chats.data.map(({ id, title, updatedAt }) => (
                <li key={id}>
                  <a href={`/chats/${id}`} className="flex items-center gap-3 py-2.5 hover:bg-sunken">
                    <span className="min-w-0 flex-1 truncate">{title || t("untitled")}</span>
                    <span className="text-muted text-sm">
                      <DateTime value={updatedAt} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </>
  );
}
