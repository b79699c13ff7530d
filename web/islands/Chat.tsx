// A conversation with an agent: in the playground, on its public page, in the widget, wherever one is shown.
import { SquarePen } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "#translations";
import { takeAsked } from "../browser/asked-later.ts";
import type { AgentDraft, ChatChannel, ChatMessage } from "../browser/chat.ts";
import type { ChatDetails } from "../browser/chat-details.ts";
import { useChat } from "../browser/use-chat.ts";
import { useKeptDraft } from "../browser/use-kept-draft.ts";
import { ChatHead } from "../components/chat/ChatHead.tsx";
import { ChatTop } from "../components/chat/ChatTop.tsx";
import { Composer } from "../components/chat/Composer.tsx";
import { Conversation } from "../components/chat/Conversation.tsx";
import { type EvidencePlace, WithEvidence } from "../components/chat/WithEvidence.tsx";

export interface ChatProps {
  agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] };
  /** The chat to go on with; null begins one with the first question. */
  chatId: string | null;
  channel: ChatChannel;
  /** The latest page of the chat's messages. */
  messages: ChatMessage[];
  /** Address of this page for a chat, with {chatId} in its place; null where the page has none for it. */
  address: string | null;
  /** Address of a team's source, with {sourceId} in its place; null for readers outside the team. */
  sourceAddress: string | null;
  /** Whether the reader may see what each reply was made from. */
  explains?: boolean;
  /** Address of the agent's tests, for those who may make one of a reply. */
  testsAddress?: string;
  /** Shows the title, the summary and the thumbs of the whole; null of a chat that is still to begin. */
  details?: ChatDetails | null;
  /** The agent's own head, with where a new chat begins: on a page that has no other. */
  top?: { name: string; picture: string | null; description: string; newHref: string };
  /** Somebody else's conversation: it is read, not gone on with. */
  readOnly?: boolean;
  /** For use inside another island: settings to answer with. */
  draft?: () => AgentDraft | undefined;
  evidence?: EvidencePlace;
  /** Before and after the chat's title. */
  beforeTitle?: ReactNode;
  afterTitle?: ReactNode;
  onStart?(chatId: string): void;
  /** Gets a visitor's token where no cookie keeps it. */
  onToken?(token: string): void;
}

Chat.namespaces = ["chat", "errors", "passages"];

export function Chat(props: ChatProps) {
  const { agent, chatId, channel, messages, address, sourceAddress, details, readOnly = false } = props;
  const { t } = useTranslation("chat");
  const { onStart, onToken, top, beforeTitle, afterTitle } = props;
  const [text, setText] = useKeptDraft(`parley-draft:${agent.id}:${chatId ?? ""}`);
  const chat = useChat({
    agentId: agent.id,
    chatId,
    channel,
    messages,
    draft: props.draft,
    onToken,
    onUnsent: (content) => setText(content),
    onStart: (id) => {
      if (address) history.replaceState(history.state, "", address.replace("{chatId}", id));
      onStart?.(id);
    },
  });
  const busy = chat.live !== null;
  // What was asked elsewhere begins a chat here.
  const askFirst = useRef(() => {
    const question = chatId === null ? takeAsked(agent.id) : null;
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
      title={t("new")}
      className="flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-hover hover:text-ink"
    >
      <SquarePen aria-hidden className="size-4" />
      <span className="max-sm:sr-only">{t("new")}</span>
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
            said={chat.messages.filter(({ role }) => role === "assistant").length}
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
        <div className="mx-auto box-content w-[calc(100%-2rem)] max-w-2xl px-4 pb-4">
          {readOnly ? (
            <p className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-center text-muted text-sm">
              {t("readOnly")}
            </p>
          ) : (
            <Composer
              agentName={agent.name}
              busy={busy}
              value={text}
              onChange={setText}
              onSend={() => {
                if (!text.trim()) return;
                setText("");
                void chat.send(text);
              }}
              onStop={() => void chat.stop()}
              takesFocus={address !== null}
            />
          )}
        </div>
      </div>
    </WithEvidence>
  );
}
