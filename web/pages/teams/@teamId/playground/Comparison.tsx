// Two variants of an agent, asked the same question side by side.
import { useTranslation } from "#translations";
import { useStoredDraft } from "#web/client/use-stored-draft.ts";
import { Composer } from "#web/pages/chats/Composer.tsx";
import { Conversation, type ConversationProps } from "#web/pages/chats/Conversation.tsx";
import { useChat } from "#web/pages/chats/use-chat.ts";
import { WithEvidence } from "#web/pages/chats/WithEvidence.tsx";
import type { Trial, VariantName } from "./use-trial.ts";

export interface ComparisonProps {
  agent: ConversationProps["agent"] & { id: string };
  trial: Trial;
  sourceAddress: string;
}

const none: never[] = [];

export function Comparison({ agent, trial, sourceAddress }: ComparisonProps) {
  const { t } = useTranslation("playground");
  const start = { agentId: agent.id, chatId: null, channel: "playground", messages: none } as const;
  const draft = useStoredDraft(`parley-draft:${agent.id}:compare`);
  const stored = { onStored: draft.drop, onUnsent: draft.change };
  const a = useChat({ ...start, ...stored, draft: () => trial.unsavedSettings("a") });
  const b = useChat({ ...start, draft: () => trial.unsavedSettings("b") });
  const busy = a.live !== null || b.live !== null;

  function send(question: string) {
    if (!question.trim()) return;
    if (question === draft.text) draft.empty();
    void a.send(question);
    void b.send(question);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-busy={busy}>
      <div className="grid min-h-0 flex-1 grid-rows-2 divide-line max-md:divide-y md:grid-cols-2 md:grid-rows-1 md:divide-x">
        {([["a", a] as const, ["b", b] as const] satisfies [VariantName, typeof a][]).map(([name, chat]) => (
          <section key={name} aria-label={t(`variant.${name}`)} className="flex min-h-0 min-w-0 flex-col">
            <h2 className="border-line border-b px-4 py-1.5 font-medium text-muted text-sm">
              {t(`variant.${name}`)}
            </h2>
            <WithEvidence
              chatId={chat.chatId}
              messages={chat.messages}
              sourceAddress={sourceAddress}
              explains
            >
              <Conversation
                // A suggestion is sent to both.
                agent={agent}
                chat={{
                  ...chat,
                  send: async (question, replaces) =>
                    replaces ? chat.send(question, replaces) : send(question),
                }}
                explains
              />
            </WithEvidence>
          </section>
        ))}
      </div>
      <div className="border-line border-t px-4 py-3">
        <div className="mx-auto max-w-2xl">
          <Composer
            agentName={agent.name}
            busy={busy}
            value={draft.text}
            onChange={draft.change}
            onSend={() => send(draft.text)}
            onStop={() => {
              void a.stop();
              void b.stop();
            }}
          />
        </div>
      </div>
    </div>
  );
}
