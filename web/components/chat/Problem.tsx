// Why a question got no reply, in words that say what to do now.
import { useTranslation } from "react-i18next";
import type { ChatProblem } from "../../browser/use-chat.ts";

const GONE = ["NOT_FOUND", "FORBIDDEN", "NOT_AUTHENTICATED"];

export function Problem({ problem, onRetry }: { problem: ChatProblem; onRetry(): void }) {
  const { t } = useTranslation("chat");
  const { code, message } = problem;
  const gone = GONE.includes(code);
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft px-3.5 py-2.5">
      <p className="font-medium text-bad">{gone ? t("gone") : t(`errors:${code}.title`)}</p>
      {gone && <p className="mt-0.5 text-sm">{t("goneText")}</p>}
      {code === "RATE_LIMITED" && <p className="mt-0.5 text-sm">{message}</p>}
      {!gone && (
        <button type="button" onClick={onRetry} className="mt-1.5 font-medium text-sm underline">
          {t("retry")}
        </button>
      )}
    </div>
  );
}
