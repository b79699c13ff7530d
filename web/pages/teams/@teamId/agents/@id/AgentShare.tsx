// How to reach an agent: its public page, and the API.
import { useTranslation } from "#translations";
import type { CopyTextProps } from "#web/islands/CopyText.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may, teamPath } from "#web/request/current-team.ts";
import { Fold } from "#web/ui/Fold.tsx";
import type { AgentData } from "./+data.ts";

export function AgentShare() {
  const { t } = useTranslation("agents");
  const request = useRequest();
  const { agent, origin } = useData<AgentData>();
  const isPublic = agent.visibility === "public";
  const call = [
    `curl -N ${origin}/v1/streams \\`,
    `  -H "Authorization: Bearer prl_…" \\`,
    `  -H "Content-Type: application/json" -H "Accept: text/event-stream" \\`,
    `  -d '{"agentId":"${agent.id}","messages":[{"role":"user","content":"${t("prompts.placeholder")}"}]}'`,
  ].join("\n");
  return (
    <Fold
      id="share"
      title={t("share.title")}
      summary={t(isPublic ? "share.anyone" : "share.members")}
      // After "Publish" of the first steps.
      open={isPublic && request.url.searchParams.has("share")}
    >
      <div className="space-y-5">
        <div className="space-y-1.5">
          <h3 className="font-medium text-sm">{t("share.page")}</h3>
          <Island<CopyTextProps>
            name="CopyText"
            load="idle"
            props={{
              label: t("share.page"),
              text:
                origin + (agent.appearance.address ? `/c/${agent.appearance.address}` : `/chats/${agent.id}`),
            }}
          />
          <p className="text-muted text-sm">{t(isPublic ? "share.pagePublic" : "share.pagePrivate")}</p>
        </div>
        <div className="space-y-1.5">
          <h3 className="font-medium text-sm">{t("share.api")}</h3>
          <Island<CopyTextProps> name="CopyText" load="idle" props={{ label: t("share.api"), text: call }} />
          <p className="text-muted text-sm">
            {t("share.apiText")}{" "}
            {may(request, "apiKeys.read") && (
              <a href={teamPath(request, "apiKeys")} className="text-accent-ink underline underline-offset-2">
                {t("share.keys")}
              </a>
            )}
          </p>
        </div>
        <div className="space-y-1.5">
          <h3 className="font-medium text-sm">{t("share.openai")}</h3>
          <Island<CopyTextProps>
            name="CopyText"
            load="idle"
            props={{
              label: t("share.openai"),
              text: `OPENAI_BASE_URL=${origin}/v1/streams/openai\nOPENAI_MODEL=${agent.id}`,
            }}
          />
          <p className="text-muted text-sm">{t("share.openaiText")}</p>
        </div>
      </div>
    </Fold>
  );
}
