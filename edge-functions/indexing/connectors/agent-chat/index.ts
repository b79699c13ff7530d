// Lists past chats of one of the team's agents from the database: only the source's own team is read, and nothing that identifies a
// visitor leaves it.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  ItemGone,
  type PreviewLine,
  SourceRefused,
} from "../connector.ts";
import { configSchema } from "../declaration.ts";
import { declaration } from "./declaration.ts";
import { type ChatRow, itemOf } from "./transform.ts";

const config = configSchema(declaration);

const pageSize = 25;
/** Of one chat, which anyone may fill: at least the bytes of the text that an item keeps (markup.ts). */
const mostBytes = 1_000_000;
const mostMessages = 5_000;

export const agentChat: Connector = {
  declaration,

  async list(context, { next }) {
    const agent = await agentOf(context);
    // The agent was deleted, and its chats with it.
    if (!agent) return { items: [] };
    const chats = await chatsOf(context, agent.id, { after: next });
    const last = chats.length === pageSize ? chats.at(-1) : undefined;
    const items = chats.filter(isTalk).map((chat) => itemOf(chat, agent.name));
    return { items, passedOver: chats.length, ...(last ? { next: last.id } : {}) };
  },

  async fetch(context, externalId) {
    const agent = await agentOf(context);
    const [chat] = agent ? await chatsOf(context, agent.id, { only: externalId }) : [];
    if (!agent || !chat) throw new ItemGone("the chat was deleted");
    return itemOf(chat, agent.name);
  },

  async preview(context): Promise<PreviewLine[]> {
    const agent = await agentOf(context);
    if (!agent) throw new SourceRefused(sentenceOf("noAgent"), "config.agentId");
    const { teamId } = context.source;
    const [row] = await context.read(
      (tx) => tx<{ count: number }[]>`
        select count(*)::int as count from public.chats
         where team_id = ${teamId} and agent_id = ${agent.id} and channel <> 'playground'`,
    );
    return [{ kind: "chats", name: agent.name, count: row?.count ?? 0 }];
  },
};

/** A chat with nothing but a greeting, or with a reply in progress, is not listed yet. */
function isTalk({ messages }: ChatRow): boolean {
  return messages.some(({ role }) => role === "user") && messages.some(({ role }) => role === "assistant");
}

async function agentOf({
  source,
  read,
}: ConnectorContext): Promise<{ id: string; name: string } | undefined> {
  const settings = config.safeParse(source.config);
  if (!settings.success) throw new SourceRefused(sentenceOf("agentMissing"), "config.agentId");
  const [agent] = await read(
    (tx) => tx<{ id: string; name: string }[]>`
      select id, name from public.agents where team_id = ${source.teamId} and id = ${settings.data.agentId}`,
  );
  return agent;
}

/**
 * Oldest first. Leaves out playground chats, which are not conversations, and messages that their person has replaced. Of a chat too long for
 * an item it reads the beginning: all of it could be more than one statement can hold. Postgres knows the bytes of a text without reading it.
 */
async function chatsOf(
  { source, read }: ConnectorContext,
  agentId: string,
  { after, only }: { after?: string | undefined; only?: string },
): Promise<ChatRow[]> {
  return await read(
    (tx) => tx<ChatRow[]>`
      select c.id, c.title, c.summary, c.rating, c.comment, c.created_at,
             coalesce(told.messages, '[]') as messages, told.is_cut
        from public.chats c
       cross join lateral (
         select jsonb_agg(jsonb_build_object('role', s.role, 'content', left(s.content, 20000), 'rating', s.rating,
                          'comment', s.comment, 'unanswered', s.unanswered) order by s.id)
                  filter (where s.bytes_before <= ${mostBytes}) as messages,
                count(*) > ${mostMessages} or coalesce(bool_or(s.bytes_before > ${mostBytes}), false) as is_cut
           from (select m.*, sum(octet_length(m.content)) over (order by m.id) - octet_length(m.content) as bytes_before
                   from (select n.id, n.role, n.content, n.rating, n.comment, n.unanswered
                           from public.messages n
                          where n.chat_id = c.id and n.status in ('complete', 'stopped') and not n.superseded
                          order by n.id limit ${mostMessages + 1}) m) s) told
       where c.team_id = ${source.teamId} and c.agent_id = ${agentId} and c.channel <> 'playground'
         ${after ? tx`and c.id > ${after}` : tx``} ${only ? tx`and c.id::text = ${only}` : tx``}
       order by c.id limit ${pageSize}`,
  );
}
