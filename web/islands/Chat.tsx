// A conversation with an agent: in the playground, on its public page, in the widget, wherever one is shown.
import { useTranslation } from "react-i18next";
import type { AgentDraft, ChatChannel, ChatMessage } from "../browser/chat.ts";
import type { ChatDetails } from "../browser/chat-details.ts";
import { useChat } from "../browser/use-chat.ts";
import { useKeptDraft } from "../browser/use-kept-draft.ts";
import { ChatHead } from "../components/chat/ChatHead.tsx";
import { Composer } from "../components/chat/Composer.tsx";
import { Conversation } from "../components/chat/Conversation.tsx";

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
  /** Shows the title, the summary and the thumbs of the whole; null of a chat that is still to begin. */
  details?: ChatDetails | null;
  /** Somebody else's conversation: it is read, not gone on with. */
  readOnly?: boolean;
  /** For use inside another island: settings to answer with. */
  draft?: () => AgentDraft | undefined;
  onStart?(chatId: string): void;
  /** Gets a visitor's token where no cookie keeps it. */
  onToken?(token: string): void;
}

Chat.namespaces = ["chat", "errors", "passages"];

export function Chat(props: ChatProps) {
  const { agent, chatId, channel, messages, address, sourceAddress, details, readOnly = false } = props;
  const { t } = useTranslation("chat");
  const { onStart, onToken } = props;
  const chat = useChat({
    agentId: agent.id,
    chatId,
    channel,
    messages,
    draft: props.draft,
    onToken,
    onStart: (id) => {
      if (address) history.replaceState(history.state, "", address.replace("{chatId}", id));
      onStart?.(id);
    },
  });
  const [text, setText] = useKeptDraft(`parley-draft:${agent.id}:${chatId ?? ""}`);
  const busy = chat.live !== null;

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-busy={busy}>
      {details !== undefined && chat.chatId && (
        <ChatHead
          chatId={chat.chatId}
          details={details}
          said={chat.messages.filter(({ role }) => role === "assistant").length}
          readOnly={readOnly}
        />
      )}
      <div className={`flex min-h-0 flex-1 flex-col ${details === undefined ? "" : "border-line border-t"}`}>
        <Conversation
          agent={agent}
          chat={chat}
          sourceAddress={sourceAddress}
          explains={props.explains ?? false}
          readOnly={readOnly}
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
          />
        )}
      </div>
    </div>
  );
}
