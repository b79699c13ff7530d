// Refusals of calls that islands make instead of posting a form: in a chat, for Undo, for a handover.
import { anyone } from "../api.ts";
import { asVisitor } from "../content.ts";
import type { WordKey } from "../words.ts";
import type { Stand } from "./stand.ts";

export interface RefusedCall {
  code: string;
  says: WordKey;
  status: number;
  /** @returns the refused call, after its preparation */
  open(stand: Stand): Promise<{
    method?: "POST" | "PUT";
    path: string;
    body?: unknown;
    headers?: Record<string, string>;
  }>;
}

async function newChat(stand: Stand, more: object = {}) {
  const agent = await stand.create("/agents", { name: "Asked", ...more });
  const { body } = await stand.team.owner.post(`/v1/agents/${agent}/chats`, {});
  return { agent, chat: body.id as string, path: `/v1/chats/${body.id}` };
}

async function emptyChat(stand: Stand) {
  const { agent, chat } = await newChat(stand);
  return { path: `/v1/agents/${agent}/chats/${chat}/summary` };
}

const refusal = (code: string) => `errors:refusals.${code}` as WordKey;

export const calledMeanwhile: RefusedCall[] = [
  {
    code: "nothingSaid",
    says: refusal("nothingSaid"),
    status: 409,
    open: async (stand) => ({ ...(await emptyChat(stand)), body: {} }),
  },
  {
    code: "askedAgain",
    says: refusal("askedAgain"),
    status: 409,
    open: async (stand) => {
      const { path } = await newChat(stand);
      const { owner } = stand.team;
      const { message } = (await owner.post(`${path}/messages`, { content: "Which day?" })).body;
      const again = { content: "Which days?", replaces: message.id };
      await owner.post(`${path}/messages`, again);
      return { path: `${path}/messages`, body: again };
    },
  },
  {
    code: "stillAnswering",
    says: refusal("stillAnswering"),
    status: 409,
    open: async (stand) => {
      const { path, chat } = await newChat(stand);
      await stand.sql`insert into public.messages (chat_id, role, status) values (${chat}, 'assistant', 'streaming')`;
      return { path: `${path}/messages`, body: { content: "And now?" } };
    },
  },
  {
    code: "notDeleted",
    says: refusal("notDeleted"),
    status: 409,
    open: async (stand) => {
      const agent = `${stand.team.path}/agents/${await stand.create("/agents", { name: "Brought back" })}`;
      await stand.team.owner.delete(agent);
      await stand.team.owner.post(`${agent}/restore`);
      return { path: `${agent}/restore` };
    },
  },
  {
    code: "restoreBlocked",
    says: refusal("restoreBlocked"),
    status: 409,
    open: async (stand) => {
      const { path } = stand.team;
      const agent = await stand.create("/agents", { name: "Gone with its tests" });
      const test = await stand.create(`/agents/${agent}/tests`, { question: "Who?", facts: ["Ada"] });
      await stand.team.owner.delete(`${path}/agents/${agent}/tests/${test}`);
      await stand.team.owner.delete(`${path}/agents/${agent}`);
      return { path: `${path}/agents/${agent}/tests/${test}/restore` };
    },
  },
  {
    code: "nobodyOffered",
    says: refusal("nobodyOffered"),
    status: 409,
    open: async (stand) => {
      const { agent } = await newChat(stand, { visibility: "public" });
      const { body } = await anyone.post(`/v1/agents/${agent}/chats`, {});
      const { visitorToken } = asVisitor(body.visitorToken);
      await stand.team.owner.put(`${stand.team.path}/handovers/settings`, { isOffered: false });
      return {
        path: `/v1/chats/${body.id}/handover`,
        body: { email: "visitor@parley.test", consent: true },
        headers: { "x-visitor-token": visitorToken },
      };
    },
  },
  {
    code: "readOnlyDocument",
    says: refusal("readOnlyDocument"),
    status: 409,
    open: async (stand) => {
      const { sql, team } = stand;
      const source = await stand.create("/sources", { type: "file", name: "Read only" });
      const path = `/sources/${source}/documents`;
      const document = await stand.create(path, { externalId: "1", title: "Read", content: "Text." });
      await sql`update public.documents set type = 'jira' where id = ${document}`;
      return { method: "PUT", path: `${team.path}${path}/${document}`, body: { content: "Mine." } };
    },
  },
];
