// A public agent by its short address, and the reader's chat with it when the query contains one (?chatId=). A former
// address redirects to the current one.
import { Redirection, WithStatus } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import type { ChatPageData } from "../../chats/@id/+data.ts";
import { readChat } from "../../chats/read-chat.ts";

export async function data({
  request,
  routeParams,
}: DataContext): Promise<ChatPageData | WithStatus<ChatPageData> | Redirection> {
  const asked = (routeParams.address ?? "").toLowerCase();
  const { search, searchParams } = request.url;
  const [agent, chat] = await Promise.all([
    readAgent(request.api, asked),
    readChat(request, searchParams.get("chatId")),
  ]);
  const none = { chatId: null, details: null, messages: [], readOnly: false };
  if (!agent) return new WithStatus(404, { agent: null, address: "/", ...none });
  const { address } = agent.appearance;
  const path = address ? `/c/${address}` : `/chats/${agent.id}`;
  if (address !== routeParams.address) return new Redirection(path + search);
  const own = chat.details?.agentId === agent.id ? chat : none;
  return { agent, address: path, ...own };
}

async function readAgent(api: DataContext["request"]["api"], id: string) {
  try {
    return await api.get("/v1/agents/{id}", { id });
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}
