// How well sources support a reply: a mark after each statement that they do not confirm, and a line under the reply
// when they confirm only a part of it or disagree.
import { CircleAlert } from "lucide-react";
import { useTranslation } from "#translations";
import { Button } from "../../ui/Button.tsx";
import { InlineText } from "../../ui/InlineText.tsx";
import type { ChatMessage, Citation } from "./chat.ts";

type Support = NonNullable<ChatMessage["support"]>;

/** No passage has this number: it stands for the mark of an unsupported statement. */
const sign = " [0]";

/** A reply's Markdown with a mark after each unsupported statement. */
export function markUnsupported(content: string, support: Support | null | undefined): string {
  const ends = (support?.claims ?? []).flatMap(({ supported, end }) =>
    supported === false && end !== null && end <= content.length ? [end] : [],
  );
  return [...new Set(ends)]
    .sort((a, b) => b - a)
    .reduce((text, end) => text.slice(0, end) + sign + text.slice(end), content);
}

export function Unsupported() {
  const { t } = useTranslation("chat");
  return (
    <Button
      variant="bare"
      type="button"
      aria-label={t("support.unsupported")}
      data-tooltip={t("support.unsupported")}
      className="inline-flex cursor-help rounded-sm align-text-bottom text-muted hover:text-ink"
    >
      <CircleAlert aria-hidden className="size-4" />
    </Button>
  );
}

export function SupportNote({ support, citations }: { support: Support; citations: Citation[] }) {
  const { t, i18n } = useTranslation("chat");
  if (support.state === "partly") return <p className="mt-2 text-muted text-sm">{t("support.partly")}</p>;
  if (support.state !== "disagree") return null;
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeZone: "UTC" });
  return (
    <div className="mt-2 text-muted text-sm">
      <p>{t("support.disagree")}</p>
      <ul className="mt-1 space-y-1">
        {support.disagreement.map(({ citation, quote, date }) => (
          <li key={citation} dir="auto" className="border-line border-s-2 ps-3 [overflow-wrap:anywhere]">
            <bdi>
              <InlineText text={t("support.quoted", { quote })} />
            </bdi>{" "}
            – {citations.find(({ index }) => index === citation)?.title}
            {date && `, ${t("support.dated", { date: day.format(new Date(date)) })}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
