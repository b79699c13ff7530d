// Explains why a question got no reply, and what to do.
import { useTranslation } from "#translations";
import { wordsOf } from "../../client/call-api.ts";
import { loginHref } from "../../client/page.ts";
import { Button } from "../../ui/Button.tsx";
import { STOPPED_EARLY } from "./follow-reply.ts";
import type { ChatProblem } from "./open-chat.ts";
import { CHAT_ENDED } from "./use-chat.ts";

const GONE = ["NOT_FOUND", "FORBIDDEN"];
const OWN: Record<string, string> = {
  NOT_AUTHENTICATED: "loggedOut",
  OFFLINE: "offline",
  [CHAT_ENDED]: "ended",
  [STOPPED_EARLY]: "stoppedEarly",
};

export function Problem({ problem, onRetry }: { problem: ChatProblem; onRetry(): void }) {
  const { t } = useTranslation("chat");
  const words = wordsOf(problem, t);
  const gone = GONE.includes(problem.code);
  const isOfSite = problem.details.some(({ code }) => code === "siteNotAllowed");
  const own = OWN[problem.code];
  const ofReply = problem.details.find(({ code = "" }) => code.startsWith("reply"));
  // Sent only to those who may change the team's models.
  const team = ofReply?.params?.team;
  if (own)
    return (
      <div role="alert" className="rounded-md border border-line bg-careful-soft px-3.5 py-2.5">
        <p className="font-medium text-careful">{t(own)}</p>
        <p className="mt-0.5 text-sm">{t(`${own}Text`)}</p>
        {own === "loggedOut" && (
          <a href={loginHref()} className="mt-1.5 inline-block font-medium text-sm underline">
            {t("logIn")}
          </a>
        )}
        {own === "stoppedEarly" && (
          <Button type="button" size="sm" onClick={onRetry} className="mt-1.5">
            {t("retry")}
          </Button>
        )}
      </div>
    );
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft px-3.5 py-2.5">
      <p className="font-medium text-bad">{gone ? t("gone") : ofReply ? t("noReply") : words.title}</p>
      <p className="mt-0.5 text-sm">{gone && !isOfSite ? t("goneText") : words.description}</p>
      {!gone && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <Button type="button" size="sm" onClick={onRetry}>
            {t("retry")}
          </Button>
          {team && (
            <a href={`/teams/${team}/models`} className="font-medium text-sm underline">
              {t("toModels")}
            </a>
          )}
        </p>
      )}
    </div>
  );
}
