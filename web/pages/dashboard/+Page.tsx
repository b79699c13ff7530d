// A team's dashboard: what needs attention, running tasks, usage, recent chats, agents.

import { ArrowRight, CircleAlert, CircleCheck, ListChecks, Plus, Square, TriangleAlert } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "../../render/render-context.tsx";
import { currentTeam, may, teamPath } from "../../request/current-team.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { DateTime } from "../../ui/DateTime.tsx";
import { Form } from "../../ui/Form.tsx";
import { OfferedButton } from "../../ui/OfferedButton.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { ProgressBar } from "../../ui/ProgressBar.tsx";
import { chatHref } from "../teams/@teamId/chats/chat-href.ts";
import type { DashboardData } from "./+data.ts";
import { actsOnAny, attentionOf } from "./attention.ts";
import { Usage } from "./Usage.tsx";

export function Page() {
  const { t } = useTranslation("dashboard");
  const request = useRequest();
  const overview = useData<DashboardData>();
  const { agents, chats, knowledges, tasks, insights } = overview;
  const starting = agents.total === 0 || knowledges.total === 0 || chats.length === 0;
  return (
    <>
      <PageHeader
        title={currentTeam(request).name}
        actions={
          <>
            {starting && (
              <OfferedButton href="/onboarding" icon={<ListChecks aria-hidden className="size-4" />}>
                {t("app:nav.onboarding")}
              </OfferedButton>
            )}
            <OfferedButton
              href={teamPath(request, "agents/create")}
              variant="primary"
              icon={<Plus aria-hidden className="size-4" />}
            >
              {t("agents:list.create")}
            </OfferedButton>
          </>
        }
      />
      <NeedsYou overview={overview} />
      {tasks.length > 0 && <AtWork tasks={tasks} />}
      {insights && <Usage insights={insights} />}
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-2">
        <Chats chats={chats} />
        <Agents agents={agents} />
      </div>
    </>
  );
}

function NeedsYou({ overview }: { overview: DashboardData }) {
  const { t } = useTranslation("dashboard");
  const request = useRequest();
  const mayDo = (permission: string) => may(request, permission);
  if (!actsOnAny(overview.insights, mayDo)) return null;
  const found = attentionOf(overview, mayDo);
  return (
    <section aria-labelledby="attention" className="mb-10">
      <h2 id="attention" className="mb-2 font-medium text-lg">
        {t("attention.title")}
      </h2>
      {found.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck aria-hidden className="size-4 text-good" />
          {t("attention.none")}
        </p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {found.map(({ key, tone, name, count, path }) => {
            const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
            return (
              <li key={`${key}-${path}`}>
                <a
                  href={teamPath(request, path)}
                  className="group flex items-center gap-3 py-2.5 hover:bg-sunken"
                >
                  <Icon
                    aria-hidden
                    className={`size-4 shrink-0 ${tone === "bad" ? "text-bad" : "text-careful"}`}
                  />
                  <span className="min-w-0 flex-1">{t(`attention.${key}`, { name, count })}</span>
                  <ArrowRight aria-hidden className="size-4 shrink-0 text-faint group-hover:text-ink" />
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** Dozens of sources may be synced at once: what follows must stay in sight. */
const mostAtWork = 5;

function AtWork({ tasks }: Pick<DashboardData, "tasks">) {
  const { t } = useTranslation("dashboard");
  const request = useRequest();
  const shown = tasks.slice(0, mostAtWork);
  return (
    <section aria-labelledby="work" className="mb-10">
      <ListHeading id="work" title={t("work")} href={teamPath(request, "tasks")} />
      <ul className="space-y-4">
        {shown.map(({ id, type, status, about, progress, message, knowledgeId, sourceId }) => {
          const href = teamPath(
            request,
            knowledgeId ? `knowledges/${knowledgeId}` : sourceId ? `sources/${sourceId}` : `tasks/${id}`,
          );
          const name =
            about === null
              ? t(`tasks:type.${type}`)
              : t("app:labelled", { label: t(`tasks:type.${type}`), value: about });
          return (
            <li key={id} className="flex items-start gap-6">
              <div className="min-w-0 flex-1">
                {request.canOpen(href) ? (
                  <a href={href} className="mb-1.5 block truncate rounded-sm hover:underline">
                    {name}
                  </a>
                ) : (
                  <p className="mb-1.5 truncate">{name}</p>
                )}
                <ProgressBar done={progress.done} total={progress.total} label={name}>
                  {message}
                </ProgressBar>
              </div>
              {(knowledgeId || sourceId) &&
                status !== "stopping" &&
                may(request, knowledgeId ? "knowledges.write" : "sources.write") && (
                  <Form name="stop" fields={{ task: id }} className="shrink-0" casual>
                    <Button
                      size="sm"
                      aria-label={t("stop", { name })}
                      icon={<Square aria-hidden className="size-3.5" />}
                    >
                      {t("tasks:stop")}
                    </Button>
                  </Form>
                )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Chats({ chats }: Pick<DashboardData, "chats">) {
  const { t } = useTranslation("dashboard");
  const request = useRequest();
  return (
    <section aria-labelledby="chats">
      <ListHeading id="chats" title={t("chats")} href={teamPath(request, "chats")} />
      {chats.length === 0 ? (
        <p className="text-muted">{t("noChatsText")}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {chats.map(({ id, title, updatedAt }) => (
            <li key={id}>
              <a href={chatHref(request, id)} className="flex items-center gap-3 py-2.5 hover:bg-sunken">
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
  );
}

function Agents({ agents }: Pick<DashboardData, "agents">) {
  const { t } = useTranslation("dashboard");
  const request = useRequest();
  return (
    <section aria-labelledby="agents">
      <ListHeading id="agents" title={t("app:nav.agents")} href={teamPath(request, "agents")} />
      {agents.data.length === 0 ? (
        <p className="text-muted">
          {t(`agents:list.${may(request, "agents.write") ? "emptyText" : "emptyRead"}`)}
        </p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {agents.data.map(({ id, name, visibility }) => (
            <li key={id}>
              <a
                href={teamPath(request, `agents/${id}`)}
                className="flex items-center gap-3 py-1.5 hover:bg-sunken"
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
  );
}

function ListHeading({ id, title, href }: { id: string; title: string; href: string }) {
  const { t } = useTranslation("dashboard");
  const { canOpen } = useRequest();
  return (
    <div className="mb-2 flex items-baseline justify-between gap-4">
      <h2 id={id} className="font-medium text-lg">
        {title}
      </h2>
      {canOpen(href) && (
        <a
          href={href}
          aria-label={t("seeAllOf", { name: title })}
          className="text-muted text-sm hover:text-ink hover:underline"
        >
          {t("seeAll")}
        </a>
      )}
    </div>
  );
}
