// A chat with an agent: in the playground, on its public page, in the widget.
import { SquarePen } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "#translations";
import { takeQuestion } from "../client/pending-question.ts";
import { useStoredDraft } from "../client/use-stored-draft.ts";
import { ChatHead } from "../pages/chats/ChatHead.tsx";
import { ChatTop } from "../pages/chats/ChatTop.tsx";
import { Composer } from "../pages/chats/Composer.tsx";
import { Conversation } from "../pages/chats/Conversation.tsx";
import type { AgentDraft, ChatChannel, ChatMessage } from "../pages/chats/chat.ts";
import type { ChatDetails } from "../pages/chats/chat-details.ts";
import { useChat } from "../pages/chats/use-chat.ts";
import { type EvidencePlace, WithEvidence } from "../pages/chats/WithEvidence.tsx";

export interface ChatProps {
  agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] };
  /** The chat to continue; null starts one with the first question. */
  chatId: string | null;
  channel: ChatChannel;
  /** The newest page of the chat's messages. */
  messages: ChatMessage[];
  /** True when there are older messages than these; by default their number tells. */
  hasOlder?: boolean;
  /** Address of this page for a chat, with {chatId} as placeholder; null when a chat has no address here. */
  address: string | null;
  /** Address of a team's source, with {sourceId} as placeholder; null for readers outside the team. */
  sourceAddress: string | null;
  /** Whether the reader may see the passages behind each reply. */
  explains?: boolean;
  /** Address of the agent's tests, for readers who may create one from a reply. */
  testsAddress?: string;
  /** Shows the title, the summary and the chat's rating; null for a chat that has not started. */
  details?: ChatDetails | null;
  /** The agent's own header, with the address of a new chat, on a page without another header. */
  top?: { name: string; picture: string | null; description: string; newHref: string };
  /** Another person's chat: read-only. */
  readOnly?: boolean;
  /** For use inside another island: settings to answer with. */
  draft?: () => AgentDraft | undefined;
  evidence?: EvidencePlace;
  /** Content before and after the chat's title. */
  beforeTitle?: ReactNode;
  afterTitle?: ReactNode;
  onStart?(chatId: string): void;
  /** Receives a visitor's token when no cookie stores it. */
  onToken?(token: string): void;
}

Chat.namespaces = ["chat", "errors", "passages"];

export function Chat(props: ChatProps) {
  const { agent, chatId, channel, messages, address, sourceAddress, details, readOnly = false } = props;
  const { t } = useTranslation("chat");
  const { onStart, onToken, top, beforeTitle, afterTitle } = props;
  const draft = useStoredDraft(`parley-draft:${agent.id}:${chatId ?? ""}`);
  const chat = useChat({
    agentId: agent.id,
    chatId,
    channel,
    messages,
    hasOlder: props.hasOlder,
    draft: props.draft,
    onToken,
    onStored: draft.drop,
    onUnsent: draft.putBack,
    onStart: (id) => {
      // Where the chat is opened again, so is its draft.
      if (address || channel === "widget") draft.move(`parley-draft:${agent.id}:${id}`);
      if (address) history.replaceState(history.state, "", address.replace("{chatId}", id));
      onStart?.(id);
    },
  });
  const busy = chat.live !== null;
  // A question from another page starts a chat here.
  const askFirst = useRef(() => {
    const question = chatId === null ? takeQuestion(agent.id) : null;
    if (question) void chat.send(question);
  });
  useEffect(() => askFirst.current(), []);
  const head = top && {
    name: top.name,
    picture: top.picture,
    line: top.description && <p className="truncate text-muted text-sm max-sm:hidden">{top.description}</p>,
  };
  const begin = top && (
    <a
      href={top.newHref}
      data-reload
      data-off-paper
      title={t("new")}
      className="flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-hover hover:text-ink"
    >
      <SquarePen aria-hidden className="size-4" />
      <span className="@max-lg:sr-only">{t("new")}</span>
    </a>
  );

  return (
    <WithEvidence
      chatId={chat.chatId}
      messages={chat.messages}
      sourceAddress={sourceAddress}
      explains={props.explains ?? false}
      place={props.evidence}
    >
      <div className="flex min-h-0 flex-1 flex-col" data-busy={busy}>
        {details !== undefined && chat.chatId ? (
          <ChatHead
            chatId={chat.chatId}
            details={details}
            firstQuestion={chat.messages.find(({ role }) => role === "user")?.id}
            readOnly={readOnly}
            top={head}
            before={beforeTitle}
            after={top ? begin : afterTitle}
          />
        ) : (
          head && <ChatTop {...head}>{begin}</ChatTop>
        )}
        <div
          className={`flex min-h-0 flex-1 flex-col ${details === undefined || top ? "" : "border-line border-t"}`}
        >
          <Conversation
            agent={agent}
            chat={chat}
            explains={props.explains ?? false}
            testsAddress={props.testsAddress}
            readOnly={readOnly}
            offersPerson={!readOnly && channel !== "playground"}
          />
        </div>
        <div data-off-paper className="mx-auto box-content w-[calc(100%-2rem)] max-w-2xl px-4 pb-4">
          {readOnly ? (
            <p className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-center text-muted text-sm">
              {t("readOnly")}
            </p>
          ) : (
            <Composer
              agentName={agent.name}
              busy={busy}
              value={draft.text}
              onChange={draft.change}
              onSend={() => {
                if (!draft.text.trim()) return;
                draft.empty();
                void chat.send(draft.text);
              }}
              onStop={() => void chat.stop()}
              takesFocus={address !== null || channel === "widget"}
            />
          )}
        </div>
      </div>
    </WithEvidence>
  );
}
