// Scene: a chat in each of its phases: empty, loaded, searching, writing.

import { Composer } from "../../pages/chats/Composer.tsx";
import { Conversation } from "../../pages/chats/Conversation.tsx";
import { PAGE_OF_MESSAGES } from "../../pages/chats/chat.ts";
import type { ChatState } from "../../pages/chats/use-chat.ts";
import type { DataContext } from "../../render/page-definition.ts";
import { useData } from "../../render/render-context.tsx";
import { textFor } from "../texts.ts";

interface TalkData {
  isLong: boolean;
  messages: ChatState["messages"];
}

export async function readConversation({ request }: DataContext): Promise<TalkData> {
  const { data } = await request.api.get("/v1/chats/{chatId}/messages", {
    chatId: "1",
    count: PAGE_OF_MESSAGES,
  });
  return { isLong: request.url.searchParams.get("state") === "long", messages: data };
}

const nothing = async () => undefined;
const save = async () => true;
const still: ChatState = {
  chatId: "1",
  messages: [],
  live: null,
  problem: null,
  hasOlder: false,
  loadOlder: save,
  send: nothing,
  stop: nothing,
  retry: nothing,
  rate: save,
  refresh: nothing,
};

export function Talk() {
  const { isLong, messages } = useData<TalkData>();
  const words = (name: string, at = 0) => textFor(name, at, isLong);
  const agent = {
    name: words("name"),
    greeting: words("greeting"),
    suggestedPrompts: [0, 1, 2].map((at) => words("title", at)),
  };
  const citations = messages.flatMap((message) => message.citations).slice(0, 3);
  const phases: [string, ChatState][] = [
    ["Nothing said", still],
    ["Searching", { ...still, live: { content: "", citations: [], phase: "searching" } }],
    ["Writing", { ...still, live: { content: words("content"), citations, phase: "writing" } }],
    ["Said", { ...still, messages, hasOlder: true }],
  ];
  return (
    <div className="overflow-y-auto">
      <h1 className="sr-only">Conversation</h1>
      {phases.map(([name, chat]) => (
        <section key={name} aria-label={name} className="flex flex-col border-line border-b">
          <Conversation agent={agent} chat={chat} explains />
          <div className="mx-auto w-full max-w-2xl px-4 pb-4">
            <Composer
              agentName={agent.name}
              busy={chat.live !== null}
              value={name === "Writing" ? words("content") : ""}
              onChange={() => undefined}
              onSend={() => undefined}
              onStop={() => undefined}
            />
          </div>
        </section>
      ))}
    </div>
  );
}
