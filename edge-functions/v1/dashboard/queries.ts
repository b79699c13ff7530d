// Owns the SQL of the dashboard: one statement for everything on it. Row-level security decides which rows are visible; rows that a role
// may not read are not counted.

import type { LanguageCode } from "../../../locales/registry.ts";
import type { Transaction } from "../../_shared/database/db.ts";
import { zoneForPostgres } from "../../_shared/database/new-zones.ts";
import { isAsked } from "../chats/queries.ts";
import { hasOverdueSource } from "../knowledges/overdue.ts";
import { byTeamRef } from "../router.ts";
import type { Task } from "../tasks/schema.ts";
import { messageOfTask, type Reader, type Said } from "../tasks/words.ts";
import { dayIn } from "../time-zones.ts";
import type { Dashboard, DashboardQuery, Day, Figures } from "./schema.ts";

const shown = { agents: 6, chats: 6, tasks: 30, inNeed: 2, days: 30 };

type TaskRow = Pick<Task, "id" | "type" | "status"> &
  Said & { about: string | null; sourceId: string | null; knowledgeId: string | null };

type Row = Omit<Dashboard, "attention" | "tasks" | "insights"> & {
  attention: Partial<Dashboard["attention"]>;
  tasks: TaskRow[];
  days: Day[] | null;
};

const none = { total: 0, data: [] };
const nothingInNeed: Dashboard["attention"] = {
  failedSources: none,
  failedKnowledges: none,
  staleKnowledges: none,
  overdueKnowledges: none,
  agentsWithoutKnowledge: none,
};

/**
 * The overview of a team.
 * @param query the team's id or codename. If it is absent or a team that the caller has not joined, the caller's first team by name.
 * @returns undefined for a caller without a team
 */
export async function readDashboard(
  tx: Transaction,
  { team: ref, timeZone }: DashboardQuery,
  language: Promise<LanguageCode>,
): Promise<Dashboard | undefined> {
  const today = dayIn(new Date(), timeZone);
  const rows = tx<Row[]>`
    with team as materialized (
      select t.id, private.role_permissions_in(t.id) as permissions
        from public.teams t
       where t.id = any ((select private.teams_with('team.read'))::uuid[])
       order by ${ref ? tx`${byTeamRef(tx, ref)} desc,` : tx``} t.name collate private.natural_order, t.id limit 1),
    -- Each table is read once: row-level security determines the caller's teams again for every mention of one.
    agent as materialized (
      select a.id, a.name, a.visibility,
             a.id not in (select ak.agent_id from public.agent_knowledges ak where ak.team_id = (select id from team)) as has_no_knowledge
        from public.agents a where a.team_id = (select id from team)),
    knowledge as materialized (
      select k.id, k.name, k.status, ${hasOverdueSource(tx)} as is_overdue
        from public.knowledges k where k.team_id = (select id from team)),
    in_need as (
      select 'failedSources' as kind, s.id, s.name
        from public.sources s where s.team_id = (select id from team) and s.status = 'failed'
       union all
      select status || 'Knowledges', id, name from knowledge where status in ('failed', 'stale')
       union all
      select 'overdueKnowledges', id, name from knowledge where is_overdue
       union all
      select 'agentsWithoutKnowledge', id, name from agent where has_no_knowledge)
    select team.id as team_id,
           (select jsonb_build_object('total', (select count(*) from agent), 'data', coalesce(jsonb_agg(to_jsonb(first)), '[]'))
              from (select id, name, visibility from agent order by name collate private.natural_order, id limit ${shown.agents}) first)
             as agents,
           (select jsonb_build_object('total', count(*)) from knowledge) as knowledges,
           (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'updatedAt', c.updated_at)), '[]')
              from (select c.id, c.title, c.updated_at from public.chats c where c.team_id = (select id from team) and ${isAsked(tx)}
                     order by c.id desc limit (select ${shown.chats}::int)) c) as chats,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'id', t.id, 'type', t.type, 'status', t.status, 'done', t.done, 'total', t.total,
                     'messageCode', t.message_code, 'messageParams', t.message_params,
                     'sourceId', t.source_id, 'knowledgeId', t.knowledge_id,
                     'about', coalesce((select k.name from public.knowledges k where k.id = t.knowledge_id),
                                       (select s.name from public.sources s where s.id = t.source_id))) order by t.id desc), '[]')
              from (select * from public.tasks t
                     where t.team_id = (select id from team) and t.status in ('queued', 'running', 'waiting', 'stopping')
                     order by t.id desc limit (select ${shown.tasks}::int)) t) as tasks,
           (select coalesce(jsonb_object_agg(kind, jsonb_build_object('total', total, 'data', data)), '{}')
              from (select kind, count(*) as total,
                           jsonb_agg(jsonb_build_object('id', id, 'name', name) order by at) filter (where at <= ${shown.inNeed}) as data
                      from (select n.*, row_number() over (partition by kind order by name collate private.natural_order, id) as at
                              from in_need n) numbered
                     group by kind) counted) as attention,
           case when 'insights.read' = any (team.permissions) and 'agents.read' = any (team.permissions) then (
             select jsonb_agg(jsonb_build_object(
                      'date', to_char(d.date, 'YYYY-MM-DD'), 'chats', d.chats, 'messages', d.messages,
                      'visitors', d.visitors, 'up', d.up, 'down', d.down, 'unanswered', d.unanswered,
                      'medianReplyMs', round(d.median_reply_ms)) order by d.date)
               from public.chat_insights(
                      team.id, null, ${dayBefore(today, 2 * shown.days - 1)}, ${today}, 'compared', ${zoneForPostgres(timeZone)}) d) end as days
      from team`;
  const [[row], words] = await Promise.all([rows, language]);
  return row && toDashboard(row, { language: words, timeZone });
}

function toDashboard({ attention, tasks, days, chats, ...row }: Row, reader: Reader): Dashboard {
  return {
    ...row,
    chats: chats.map((chat) => ({ ...chat, updatedAt: new Date(chat.updatedAt).toISOString() })),
    tasks: tasks.map((task) => toTask(task, reader)),
    attention: { ...nothingInNeed, ...attention },
    // The days before are one row.
    insights: days && {
      data: days.slice(1),
      total: sum(days.slice(1)),
      previous: sum(days.slice(0, 1)),
    },
  };
}

function toTask(row: TaskRow, reader: Reader): Dashboard["tasks"][number] {
  const { id, type, status, about, done, total } = row;
  return {
    id,
    type,
    status,
    about,
    progress: { done, total },
    message: messageOfTask(row, reader),
    sourceId: row.sourceId ?? undefined,
    knowledgeId: row.knowledgeId ?? undefined,
  };
}

function sum(days: Day[]): Figures {
  const total = { chats: 0, messages: 0, up: 0, down: 0, unanswered: 0 };
  for (const day of days)
    for (const key of ["chats", "messages", "up", "down", "unanswered"] as const) total[key] += day[key];
  return total;
}

/** The date a number of days before another. */
function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
