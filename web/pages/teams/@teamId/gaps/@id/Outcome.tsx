// The result of a gap's written answer: how many questions are answered now, and which documents contradict it.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { InlineText } from "#web/ui/InlineText.tsx";
import type { OneGap } from "./+data.ts";

export function Outcome({ gap }: { gap: OneGap }) {
  const { t } = useTranslation("gaps");
  const request = useRequest();
  const { again, entry, contradictions } = gap;
  const isWhole = again && again.answered === again.total;
  const place = entry && teamPath(request, `sources/${entry.sourceId}`);
  return (
    <>
      {again && (
        <Alert
          tone={again.error ? "bad" : isWhole ? "good" : "careful"}
          title={t("taskMessages:askedAgain", { answered: again.answered, total: again.total })}
        >
          {again.error ?? t(isWhole ? "outcome.whole" : "outcome.partly")}{" "}
          {place && (
            <a href={place} className="rounded-sm underline">
              {t("outcome.entry")}
            </a>
          )}
        </Alert>
      )}
      {contradictions.length > 0 && (
        <Alert tone="careful" title={t("contradictions.title")}>
          <p>{t("contradictions.text")}</p>
          <ul className="mt-2 space-y-2">
            {contradictions.map(({ documentId, sourceId, title, said, quote }) => (
              <li key={`${documentId} ${quote}`}>
                <bdi>
                  <InlineText text={t("quoted", { quote })} />
                </bdi>{" "}
                –{" "}
                <a
                  href={teamPath(request, `source/${sourceId}/documents/${documentId}`)}
                  className="rounded-sm underline"
                >
                  {title}
                </a>
                <span className="block text-muted">
                  {t("contradictions.said")} <bdi>{t("quoted", { quote: said })}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}
