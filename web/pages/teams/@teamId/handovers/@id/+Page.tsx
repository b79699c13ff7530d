// One handover: who asks and why, the chat, and the answer.
import { Check, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { chatHref } from "../../chats/chat-href.ts";
import { statusTones } from "../status-tones.ts";
import type { HandoverData } from "./+data.ts";
import { Deliveries } from "./Deliveries.tsx";
import { Transcript } from "./Transcript.tsx";

export function Page() {
  const { t } = useTranslation("handovers");
  const request = useRequest();
  const { handover, messages } = useData<HandoverData>();
  const isClosed = handover.status === "closed";
  const title = handover.title || t("untitled");
  const answers = may(request, "chats.write") && !isClosed;
  return (
    <div className="max-w-3xl">
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("title"), href: teamPath(request, "handovers") },
          { label: title },
        ]}
        title={title}
        mark={<Badge tone={statusTones[handover.status]}>{t(`status.${handover.status}`)}</Badge>}
        actions={
          <>
            <Button
              href={chatHref(request, handover.chatId)}
              icon={<MessagesSquare aria-hidden className="size-4" />}
            >
              {t("openChat")}
            </Button>
            {answers && (
              <Form name="close" casual>
                <Button icon={<Check aria-hidden className="size-4" />}>{t("close.button")}</Button>
              </Form>
            )}
          </>
        }
      />
      <dl className="mb-6 grid grid-cols-2 gap-x-8 gap-y-4 border-line border-y py-5 lg:grid-cols-3">
        <Fact name={t("asked")}>
          <DateTime value={handover.createdAt} />
        </Fact>
        <Fact name={t("reason.label")}>{t(`reason.${handover.reason}`)}</Fact>
        <Fact name={t("agent")}>{handover.agentName}</Fact>
        <Fact name={t("where")}>{t(`chats:channel.${handover.channel}`)}</Fact>
        <Fact name={t("email")}>{handover.email ?? t(`noEmail.${noEmailOf(handover.channel)}`)}</Fact>
        <Fact name={t("consent")}>
          <DateTime value={handover.consent.at} />,{" "}
          {t("consentVersion", { version: handover.consent.version })}
        </Fact>
      </dl>
      {handover.message && (
        <Section title={t("message")}>
          <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
            {handover.message}
          </p>
        </Section>
      )}
      {handover.summary && (
        <Section title={t("summary")}>
          <p dir="auto" className="whitespace-pre-line text-muted [overflow-wrap:anywhere]">
            {handover.summary}
          </p>
        </Section>
      )}
      <Section title={t("transcript.title")}>
        <Transcript messages={messages} />
      </Section>
      {answers && (
        <Section
          title={t("answer.title")}
          description={t(handover.email ? "answer.text" : `answer.goesTo.${noEmailOf(handover.channel)}`)}
        >
          <Form name="answer">
            {/* Two answers would reach the person if a colleague's came while this one was written. */}
            <input type="hidden" name="seen" value={handover.updatedAt} />
            <FormField
              as="textarea"
              form="answer"
              name="content"
              label={t("answer.label")}
              required
              rows={6}
              maxLength={20_000}
              dir="auto"
            />
            <Button variant="primary">{t("answer.button")}</Button>
          </Form>
        </Section>
      )}
      {isClosed && <p className="mb-6 text-muted">{t("errors:refusals.handoverClosed")}</p>}
      <Deliveries deliveries={handover.deliveries} />
    </div>
  );
}

/** How the answer is delivered without an email address. */
const noEmailOf = (channel: string) => (channel === "slack" || channel === "api" ? channel : "account");

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children || "–"}</dd>
    </div>
  );
}
