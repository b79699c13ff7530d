// The chat inside the widget's frame. A frame on another site gets no cookies: the visitor's token is stored in the
// browser's partitioned storage for this frame on that site, and sent with every call.
import { SquarePen, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { callFromSite } from "../client/call-api.ts";
import { embedder } from "../client/embedder.ts";
import { inBrowser, inTab } from "../client/storage.ts";
import { isFocusLost } from "../client/use-focus-return.ts";
import { ChatTop } from "../pages/chats/ChatTop.tsx";
import type { ChatMessage } from "../pages/chats/chat.ts";
import { type KeptChat, resumeChat } from "../pages/widget/@id/resume-chat.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Chat, type ChatProps } from "./Chat.tsx";

export interface WidgetChatProps {
  agent: ChatProps["agent"];
  /** Address of the agent's picture; null when it has none. */
  picture: string | null;
}

WidgetChat.namespaces = ["chat", "errors", "passages", "widget"];

interface Opened {
  chatId: string | null;
  messages: ChatMessage[];
  /** True when the chat's messages could not be loaded. */
  isMissing?: boolean;
  /** Counts the chats of this visit. */
  round: number;
}

const askToClose = () => window.parent.postMessage("parley:close", "*");

/** The page focuses the frame when it opens it again. Not on a touch screen, where the keyboard would cover the chat. */
function focusComposer() {
  if (isFocusLost() && matchMedia("(hover: hover)").matches)
    document.querySelector<HTMLElement>("textarea[name=content]")?.focus({ preventScroll: true });
}

export function WidgetChat({ agent, picture }: WidgetChatProps) {
  const { t } = useTranslation("widget");
  const key = `parley-widget:${agent.id}`;
  const [opened, setOpened] = useState<Opened | null>(null);

  useEffect(() => {
    const kept = read(key);
    callFromSite(embedder());
    void resumeChat(kept).then(({ messages, known, isMissing }) => {
      setOpened({ chatId: known && kept ? kept.chatId : null, messages, isMissing, round: 0 });
    });
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[data-busy=true]")) {
        askToClose();
      }
    };
    addEventListener("keydown", onKey);
    addEventListener("focus", focusComposer);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("focus", focusComposer);
    };
  }, [key]);

  const keep = (part: Partial<KeptChat>) => {
    const kept = { token: "", chatId: null, ...read(key), ...part };
    for (const storage of [inTab, inBrowser]) storage.set(key, JSON.stringify(kept));
  };

  return (
    <>
      <ChatTop name={agent.name} picture={picture}>
        <IconButton
          label={t("chat:new")}
          onClick={() => {
            keep({ chatId: null });
            setOpened((now) => ({ chatId: null, messages: [], round: (now?.round ?? 0) + 1 }));
          }}
        >
          <SquarePen aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t("close")} onClick={askToClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </ChatTop>
      {opened ? (
        <Chat
          key={opened.round}
          agent={agent}
          chatId={opened.chatId}
          channel="widget"
          messages={opened.messages}
          hasOlder={opened.isMissing}
          address={null}
          sourceAddress={null}
          onStart={(chatId) => keep({ chatId })}
          onToken={(token) => keep({ token })}
        />
      ) : (
        <div aria-busy="true" className="grid flex-1 gap-3 self-stretch p-4">
          <div className="skeleton h-6 w-2/3" />
        </div>
      )}
    </>
  );
}

/** This tab's own chat: another tab may have started one since. */
function read(key: string): KeptChat | null {
  const text = inTab.get(key) ?? inBrowser.get(key);
  return text ? (JSON.parse(text) as KeptChat) : null;
}
