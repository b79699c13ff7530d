// An agent by its id, and the reader's chat with it when the address contains one (?chatId=); or a chat by its own id.
// Public agents are open to everyone; a member may also use a private agent of the current team here.
import { Redirection, WithStatus } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import type { Agent } from "#web/request/api-types.ts";
import type { DataRequest } from "#web/request/request-scope.ts";
import { loginAddress } from "#web/request/safe-next.ts";
import { type LoadedChat, readChat } from "../read-chat.ts";

export type ChatAgent = Pick<
  Agent,
  "id" | "name" | "description" | "greeting" | "suggestedPrompts" | "teamId" | "appearance" | "avatar"
>;

export interface ChatPageData extends LoadedChat {
  /** Null when there is none that the reader may use. */
  agent: ChatAgent | null;
  /** The page's path without a chat, the same for all chats. */
  address: string;
}

export async function data({
  request,
  routeParams,
}: DataContext): Promise<ChatPageData | WithStatus<ChatPageData> | Redirection> {
  const id = routeParams.id ?? "";
  const { pathname, search, searchParams } = request.url;
  const asked = searchParams.get("chatId");
  const [agent, chat] = await Promise.all([readAgent(request, id), readChat(request, asked)]);
  // A reader whose session has ended finds their chat again after a login; a new one would look like its loss.
  if (asked && !chat.details && request.sentSession) {
    const { user, problem } = await request.viewer;
    if (!user && !problem) return new Redirection(loginAddress(pathname + search, "reading"));
  }
  // A chat is shown with its own agent, whichever the address contains.
  if (agent && (!chat.details || chat.details.agentId === agent.id))
    return { agent, address: pageOf(agent), ...chat };
  const named = chat.details ? chat : await readChat(request, id);
  const own = named.details && (await readAgent(request, named.details.agentId));
  if (own) return { agent: own, address: pageOf(own), ...named };
  const fresh = {
    agent,
    address: agent ? pageOf(agent) : "/",
    chatId: null,
    details: null,
    messages: [],
    readOnly: false,
  };
  return agent ? fresh : new WithStatus(404, fresh);
}

const pageOf = ({ id }: ChatAgent): string => `/chats/${id}`;

/** The public view of a public agent, else the team's own. */
async function readAgent({ api, viewer }: DataRequest, id: string): Promise<ChatAgent | null> {
  const open = orNull(api.get("/v1/agents/{id}", { id }));
  const { team } = await viewer;
  const own = team && orNull(api.get("/v1/teams/{teamId}/agents/{id}", { teamId: team.id, id }));
  return (await open) ?? (await own);
}

async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return null;
  }
}

/** No such agent, or an invalid id. */
const isMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 400);
