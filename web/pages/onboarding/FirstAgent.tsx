// The agent created from a team's first files: who may use it, and its links. For islands.
import { Bot } from "lucide-react";
import { useTranslation } from "#translations";
import { buttonLook } from "../../ui/looks.ts";
import type { FirstSteps } from "./first-steps.ts";

export interface FirstAgentProps {
  agent: NonNullable<FirstSteps["agent"]>;
  team: string;
  mayPublish: boolean;
}

export function FirstAgent({ agent: { id, name, isPublic }, team, mayPublish }: FirstAgentProps) {
  const { t } = useTranslation("onboarding");
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line bg-raised p-4">
      <Bot aria-hidden className="size-5 shrink-0 text-accent-ink" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="break-words font-medium">{t("agent.ready", { name })}</p>
        <p className="text-muted text-sm">{t(isPublic ? "agent.public" : "agent.private")}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {mayPublish && !isPublic && (
          <a href={`${team}/agents/${id}?share#visibility`} className={buttonLook({})}>
            {t("agent.publish")}
          </a>
        )}
        <a href={`/chats/${id}`} className={buttonLook({ variant: "primary" })}>
          {t("agent.ask")}
        </a>
      </div>
    </div>
  );
}
