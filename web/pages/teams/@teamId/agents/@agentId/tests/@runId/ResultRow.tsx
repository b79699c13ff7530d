// One test of a run: its verdict, the findings, and the answers, with the differences between them marked.
import { useTranslation } from "#translations";
import { TextChanges } from "#web/pages/teams/@teamId/agents/TextChanges.tsx";
import { Badge, type Tone } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Markdown } from "#web/ui/Markdown.tsx";
import type { Result } from "./+data.ts";

const tones: Record<string, Tone> = {
  passed: "good",
  failed: "bad",
  undecided: "careful",
  documentDeleted: "careful",
};

export function ResultRow(props: { result: Result; isCompared: boolean; mayWrite: boolean }) {
  const { result, isCompared, mayWrite } = props;
  const { t } = useTranslation("agentTests");
  const verdict = result.overruled ?? result.verdict;
  // Either prevents the draft from being published.
  const isBlocking = result.change === "broken" || verdict === "undecided";
  return (
    // The id changes with the result, so that a refresh opens a test that blocks.
    <li id={`${result.id}-${isBlocking ? "blocking" : (result.change ?? "unknown")}`}>
      <details open={isBlocking} className="group">
        <summary className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 -mx-2 rounded-md px-2 py-3 hover:bg-sunken">
          <span
            className="min-w-0 flex-1 truncate font-medium [overflow-wrap:anywhere] group-open:whitespace-normal max-lg:basis-full"
            dir="auto"
          >
            {result.question}
          </span>
          <span className="flex gap-1.5">
            {result.change && isCompared && (
              <Badge tone={result.change === "broken" ? "bad" : "good"}>{t(`change.${result.change}`)}</Badge>
            )}
            {verdict ? (
              <Badge tone={tones[verdict]}>{t(`verdict.${verdict}`)}</Badge>
            ) : (
              <Badge>{t("run.waiting")}</Badge>
            )}
          </span>
        </summary>
        <div className="space-y-4 pt-1 pb-5">
          <Findings result={result} />
          <Answers result={result} isCompared={isCompared} />
          {result.overruled && (
            <p className="text-muted text-sm">
              {t("run.overruled", {
                name: result.overruler?.name ?? t("run.someone"),
                verdict: t(`verdict.${result.overruled}`),
              })}{" "}
              {result.overruledAt && <DateTime value={result.overruledAt} />}
            </p>
          )}
          {mayWrite && result.verdict && <Overrule result={result} />}
        </div>
      </details>
    </li>
  );
}

/** The answer; beside another one of the live version, both as they were written, since marks of changes and Markdown do not mix. */
function Answers({ result, isCompared }: { result: Result; isCompared: boolean }) {
  const { t } = useTranslation("agentTests");
  const { answer, liveAnswer } = result;
  if (answer === null) return null;
  const hasLive = isCompared && liveAnswer !== null;
  return (
    <Answer title={hasLive ? `${t("run.answerLive")} → ${t("run.answerNew")}` : t("run.answer")}>
      {hasLive && liveAnswer !== answer ? (
        <TextChanges before={liveAnswer} after={answer} />
      ) : (
        <div className="text-sm leading-6">
          <Markdown text={answer} />
        </div>
      )}
    </Answer>
  );
}

function Answer({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 text-muted text-sm">{title}</h3>
      {children}
    </div>
  );
}

function Findings({ result }: { result: Result }) {
  const { t } = useTranslation("agentTests");
  const { facts = [], document, refused } = result.findings;
  const lines: [string, boolean | null | undefined][] = [
    ...result.facts.map((fact, at): [string, boolean | null | undefined] => [fact, facts[at]]),
    ...(result.expectedTitle && result.expectedDocumentId
      ? [[t("run.cites", { title: result.expectedTitle }), document] as [string, boolean | null | undefined]]
      : []),
    ...(result.mustRefuse ? [[t("run.refused"), refused] as [string, boolean | null | undefined]] : []),
  ];
  if (result.verdict === null) return null;
  return (
    <ul className="space-y-1 text-sm">
      {lines.map(([text, found]) => (
        <li key={text} className="flex items-baseline gap-2">
          <span className="shrink-0">
            <Badge tone={found ? "good" : found === false ? "bad" : "careful"}>
              {t(found ? "run.found" : found === false ? "run.notFound" : "run.undecided")}
            </Badge>
          </span>
          <span dir="auto" className="min-w-0">
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Overrule({ result }: { result: Result }) {
  const { t } = useTranslation("agentTests");
  const choices = [
    { value: "passed", label: t("run.overrulePassed"), isThere: result.overruled !== "passed" },
    { value: "failed", label: t("run.overruleFailed"), isThere: result.overruled !== "failed" },
    { value: "", label: t("run.overruleNone"), isThere: result.overruled !== null },
  ];
  return (
    <Form name="overrule" fields={{ resultId: result.id }} className="flex flex-wrap gap-2">
      {choices
        .filter(({ isThere }) => isThere)
        .map(({ value, label }) => (
          <Button key={value} size="sm" name="overruled" value={value}>
            {label}
          </Button>
        ))}
    </Form>
  );
}
