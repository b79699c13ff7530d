// Explains a reply: every passage that search proposed, with its ranks, and why it was kept or dropped.
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "#translations";
import { wordsOf } from "../../client/call-api.ts";
import { Queries } from "../../client/queries.tsx";
import { PassageText } from "../../ui/PassageText.tsx";
import { PassageRanks } from "../teams/@teamId/playground/PassageRanks.tsx";
import { type ConsideredPassage, passagesOf } from "./chat.ts";

export interface WhyProps {
  chatId: string;
  messageId: string;
}

export function Why(props: WhyProps) {
  return (
    <Queries>
      <Considered {...props} />
    </Queries>
  );
}

function Considered({ chatId, messageId }: WhyProps) {
  const { t } = useTranslation("passages");
  const { data, error } = useQuery({
    queryKey: ["passages", messageId],
    queryFn: () => passagesOf(chatId, messageId),
    staleTime: Infinity,
  });
  if (error) {
    return (
      <p role="alert" className="p-4 text-bad text-sm">
        {wordsOf(error, t).title}
      </p>
    );
  }
  if (!data) return <div className="skeleton m-4 h-24" aria-busy="true" />;
  const kept = data.data.filter(({ dropped }) => dropped === null).length;
  return (
    <section
      aria-label={t("title")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      data-scroll-area=""
      className="scroll-area min-h-0 min-w-0 flex-1"
    >
      <p className="border-line border-b px-3.5 py-2.5 text-sm">
        {!data.recorded
          ? t("notRecorded")
          : data.data.length === 0 && data.gone === 0
            ? t("none")
            : t("kept", { kept, count: data.data.length })}{" "}
        {data.gone > 0 && <span className="text-muted">{t("gone", { count: data.gone })}</span>}
      </p>
      {data.searchedFor !== null && (
        <p
          dir="auto"
          className="border-line border-b px-3.5 py-2.5 text-muted text-sm [overflow-wrap:anywhere]"
        >
          {t("searchedFor", { question: data.searchedFor })}
        </p>
      )}
      <ol className="divide-y divide-line">
        {data.data.map((passage) => (
          <Passage key={passage.chunkId} passage={passage} />
        ))}
      </ol>
    </section>
  );
}

function Passage({ passage }: { passage: ConsideredPassage }) {
  const { t } = useTranslation("passages");
  const { index, dropped, title, heading, page, content } = passage;
  const place = [heading, page === null ? "" : t("page", { page })].filter(Boolean).join(" · ");
  return (
    <li className={dropped ? "bg-sunken" : ""}>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start gap-3 px-3.5 py-2.5 hover:bg-hover [&::-webkit-details-marker]:hidden">
          <span
            className={`mt-px grid h-5 min-w-5 shrink-0 place-items-center rounded-sm px-1 font-medium font-mono text-xs ${
              dropped ? "border border-line text-muted" : "bg-accent-soft text-accent-ink"
            }`}
          >
            {index ?? "–"}
          </span>
          <span className="grid min-w-0 flex-1 gap-2">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
              <span className="min-w-0 max-w-full truncate">
                <span className="font-medium">{title}</span>
                {place && <span className="text-muted"> · {place}</span>}
              </span>
              <span className={`text-xs ${dropped ? "text-muted" : "font-medium text-good"}`}>
                {dropped ? t(`dropped.${dropped}`) : t("used")}
              </span>
            </span>
            <PassageRanks {...passage} />
          </span>
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
          />
        </summary>
        <div dir="auto" className="px-3.5 pb-3 pl-12 text-muted [overflow-wrap:anywhere]">
          <PassageText content={content} heading={heading} />
        </div>
      </details>
    </li>
  );
}
