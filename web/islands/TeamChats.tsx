// A team's chats inside the app: the list, the chat and its review side by side, in their stored widths. A narrow
// screen shows one at a time.
import { ArrowLeft, ClipboardList } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Group, type GroupImperativeHandle, Panel } from "react-resizable-panels";
import { useTranslation } from "#translations";
import { keepPanelSizes, type PanelSizes, roomFor } from "../client/panel-sizes.ts";
import type { ChatMessage } from "../pages/chats/chat.ts";
import type { ChatDetails } from "../pages/chats/chat-details.ts";
import { useEvidenceControl } from "../pages/chats/use-evidence.ts";
import { ChatList, type ChatListProps } from "../pages/teams/@teamId/chats/review/ChatList.tsx";
import { ChatReview } from "../pages/teams/@teamId/chats/review/ChatReview.tsx";
import { Button } from "../ui/Button.tsx";
import { ResizeHandle } from "../ui/ResizeHandle.tsx";
import { Chat, type ChatProps } from "./Chat.tsx";

export interface TeamChatsProps {
  list: Omit<ChatListProps, "chatId">;
  /** The open chat; null when there is none that the reader may see. */
  open: {
    details: ChatDetails;
    messages: ChatMessage[];
    readOnly: boolean;
    agent: ChatProps["agent"];
    agentHref: string;
  } | null;
  explains: boolean;
  testsAddress?: string;
  sourceAddress: string;
  sizes: PanelSizes | null;
}

TeamChats.namespaces = ["chats", "chat", "errors", "passages"];
TeamChats.stays = true;

const PANELS = ["list", "conversation", "review"] as const;
const FIRST_SIZES: PanelSizes = { list: 24, conversation: 46, review: 30 };

export function TeamChats(props: TeamChatsProps) {
  const { list, open } = props;
  const { t } = useTranslation("chats");
  const sizes = props.sizes ?? FIRST_SIZES;
  const group = useRef<GroupImperativeHandle>(null);
  const [evidencePlace, setEvidencePlace] = useState<HTMLDivElement | null>(null);
  const control = useEvidenceControl();
  const evidence = useMemo(() => ({ control, element: evidencePlace }), [control, evidencePlace]);
  const chatId = open?.details.id ?? null;
  const { conversation, inReview, setInReview, showReply } = useReview(chatId, control.close);

  return (
    <Group
      // On the first element: the header that it hides on a phone would be painted until it is read.
      data-leads-back
      orientation="horizontal"
      groupRef={group}
      defaultLayout={sizes}
      onLayoutChanged={(layout) => keepPanelSizes("chats", PANELS, layout)}
      style={roomFor(sizes.review)}
      className={`min-h-0 flex-1 xl:not-has-[>#review]:keeps-room max-md:[&>#list]:hidden! ${
        inReview ? "max-xl:[&>#conversation]:hidden!" : "max-xl:[&>#review]:hidden!"
      }`}
    >
      <Panel id="list" defaultSize={`${sizes.list}%`} minSize="14%" className="flex min-h-0 flex-col">
        <ChatList {...list} chatId={chatId} />
      </Panel>
      <ResizeHandle
        group={group}
        between={["list", "conversation"]}
        label={t("review.listWidth")}
        className="max-md:hidden"
      />
      <Panel
        id="conversation"
        defaultSize={`${sizes.conversation}%`}
        minSize="25%"
        className="flex min-h-0 flex-col"
      >
        <div ref={conversation} className="flex min-h-0 flex-1 flex-col pt-2">
          {open ? (
            <OpenChat {...props} open={open} evidence={evidence} onReview={() => setInReview(true)} />
          ) : (
            <NoChat listHref={list.allHref} />
          )}
        </div>
      </Panel>
      <ResizeHandle
        group={group}
        between={["conversation", "review"]}
        label={t("review.width")}
        className="max-xl:hidden"
      />
      <Panel id="review" defaultSize={`${sizes.review}%`} minSize="18%" className="flex min-h-0 flex-col">
        {inReview && (
          <Button
            variant="bare"
            type="button"
            onClick={() => setInReview(false)}
            className="flex items-center gap-1.5 border-line border-b px-4 py-2.5 font-medium text-sm hover:bg-hover xl:hidden"
          >
            <ArrowLeft aria-hidden className="size-4" />
            {t("review.back")}
          </Button>
        )}
        {/* A reply's evidence takes the review's place while it is open. */}
        <div
          ref={setEvidencePlace}
          className={`min-h-0 flex-1 flex-col ${control.shown ? "flex" : "flex h-0 flex-none"}`}
        />
        {open && !control.shown && (
          <ChatReview
            details={open.details}
            messages={open.messages}
            agentName={open.agent.name}
            agentHref={open.agentHref}
            onShow={showReply}
          />
        )}
      </Panel>
    </Group>
  );
}

/**
 * Whether the review takes the chat's place, which it does without room for all three, and how it shows a reply.
 * Another chat opens as itself, without evidence.
 */
function useReview(chatId: string | null, closeEvidence: () => void) {
  const conversation = useRef<HTMLDivElement>(null);
  const [inReview, setInReview] = useState(false);
  const shownChat = useRef(chatId);
  useEffect(() => {
    if (shownChat.current === chatId) return;
    shownChat.current = chatId;
    setInReview(false);
    closeEvidence();
  }, [chatId, closeEvidence]);

  const showReply = useCallback((messageId: string) => {
    setInReview(false);
    // Once the chat is visible again.
    requestAnimationFrame(() => {
      const row = conversation.current?.querySelector<HTMLElement>(`[data-message="${messageId}"]`);
      const log = row?.closest("[role=log]");
      if (!row || !log) return;
      log.scrollTop += row.getBoundingClientRect().top - log.getBoundingClientRect().top - 16;
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    });
  }, []);
  return { conversation, inReview, setInReview, showReply };
}

interface OpenChatProps extends Omit<TeamChatsProps, "open"> {
  open: NonNullable<TeamChatsProps["open"]>;
  evidence: ChatProps["evidence"];
  onReview(): void;
}

function OpenChat({ open, list, evidence, onReview, ...props }: OpenChatProps) {
  const { t } = useTranslation("chats");
  return (
    <Chat
      key={open.details.id}
      agent={open.agent}
      chatId={open.details.id}
      channel="web"
      messages={open.messages}
      address={null}
      details={open.details}
      readOnly={open.readOnly}
      explains={props.explains}
      testsAddress={props.testsAddress}
      sourceAddress={props.sourceAddress}
      evidence={evidence}
      beforeTitle={<BackToList href={list.allHref} />}
      afterTitle={
        <Button
          type="button"
          variant="ghost"
          onClick={onReview}
          icon={<ClipboardList aria-hidden className="size-4" />}
          className="xl:hidden"
        >
          <span className="@max-lg:sr-only">{t("review.title")}</span>
        </Button>
      }
    />
  );
}

/** In place of a chat that is gone or of another team. */
function NoChat({ listHref }: { listHref: string }) {
  const { t } = useTranslation("chats");
  return (
    <>
      <div className="px-2 pt-2 md:hidden">
        <BackToList href={listHref} />
      </div>
      <p className="m-auto max-w-sm p-6 text-center text-muted">{t("review.notThere")}</p>
    </>
  );
}

/** A link to the list, when it is not next to the chat. */
function BackToList({ href }: { href: string }) {
  const { t } = useTranslation("chats");
  return (
    <a
      href={href}
      aria-label={t("review.all")}
      title={t("review.all")}
      className="-ml-2 icon-button md:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
    </a>
  );
}
