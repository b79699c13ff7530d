// How many of the period's replies are supported by their sources, and how well, each with a link to its chats for
// those who may read them.
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import type { Period, SupportCounts } from "./+data.ts";

const states = ["answered", "partly", "notFound", "disagree", "unchecked"] as const;

interface InsightSupportProps {
  support: SupportCounts;
  range: Pick<Period, "dateStart" | "dateEnd">;
  agentId: string | undefined;
}

export function InsightSupport({ support, range: { dateStart, dateEnd }, agentId }: InsightSupportProps) {
  const { t, i18n } = useTranslation("insights");
  const request = useRequest();
  const whole = numberFormat(i18n.language).format;
  const chatsOf = (state: string) =>
    `${teamPath(request, "chats")}?${new URLSearchParams({ support: state, dateStart, dateEnd, ...(agentId ? { agentId } : {}) })}`;
  const mayRead = may(request, "chats.read");
  return (
    <section aria-label={t("support.title")} className="mb-10">
      <h2 className="mb-3 font-medium text-lg">{t("support.title")}</h2>
      <dl className="grid grid-cols-2 border-line border-y lg:grid-cols-5">
        {states.map((state) => (
          <div key={state} className="px-4 py-4 max-lg:odd:pl-0 lg:first:pl-0">
            <dt className="text-muted text-sm">
              {mayRead ? (
                <a href={chatsOf(state)} className="rounded-sm underline underline-offset-2">
                  {t(`chats:support.${state}`)}
                </a>
              ) : (
                t(`chats:support.${state}`)
              )}
            </dt>
            <dd className="mt-1 font-semibold text-2xl tabular-nums">{whole(support[state])}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 max-w-2xl text-muted text-sm">{t("support.text")}</p>
    </section>
  );
}
