// The error page: status code, status message, what happened, and the request id for support.
import { useTranslation } from "#translations";
import { useRender, useRequest } from "../../render/render-context.tsx";
import { problemWords } from "../../request/problem-words.ts";
import { Button } from "../../ui/Button.tsx";
import { OtherAccount } from "../../ui/OtherAccount.tsx";
import { SupportText } from "../../ui/SupportText.tsx";
import { TypedText } from "../../ui/TypedText.tsx";

/** What the reader may not see, or what is not there, stays so. */
const LASTING = new Set([403, 404, 410]);

export function Page() {
  const { t } = useTranslation("app");
  const { problem: given, form, frame } = useRender();
  const request = useRequest();
  const problem = given ?? { status: 500, failure: undefined };
  const { status } = problem;
  const { url } = request;
  const words = problemWords(problem, t, request);
  // A posted form is not sent again.
  const retries = status === 503 && !form && request.method === "GET";
  return (
    <div className="flex flex-col items-start py-[12vh]">
      <p className="font-mono text-faint text-sm">{t("error.status", { status })}</p>
      <h1 className="mt-2 font-semibold text-2xl">{words.title}</h1>
      <p className="mt-2 max-w-xl text-muted [overflow-wrap:anywhere]">
        <SupportText text={words.description} />
      </p>
      {retries && <p className="mt-1 max-w-xl text-muted">{t("error.retries")}</p>}
      {words.more && <p className="mt-1 max-w-xl text-muted">{words.more}</p>}
      <div className="mt-6 flex flex-wrap gap-2">
        <Button href={frame.hasSession ? "/dashboard" : "/"} variant="primary">
          {t(frame.hasSession ? "onboarding:toDashboard" : "error.home")}
        </Button>
        {!LASTING.has(status) && (
          <Button href={url.pathname + url.search} data-reload data-retries={retries ? "" : undefined}>
            {t("tryAgain")}
          </Button>
        )}
        {words.isOfOtherTeam && request.invitations.length > 0 && (
          <Button href="/teams">{t("teams:create.seeInvitations")}</Button>
        )}
        {words.isOfOtherTeam && <OtherAccount next={url.pathname + url.search} />}
      </div>
      {form && <TypedText form={form} />}
      <p className="mt-10 text-faint text-xs">
        {t("requestId")}{" "}
        <code className="select-all font-mono">{problem.failure?.requestId || request.id}</code>
      </p>
    </div>
  );
}
