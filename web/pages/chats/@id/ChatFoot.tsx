// The footer of a chat on its own page: a notice about replies, the product's name, and the reader's preferences. Server only.
import { useTranslation } from "#translations";
import { PreferencesMenu } from "#web/layouts/PreferencesMenu.tsx";
import { useFrame } from "#web/render/render-context.tsx";
import { Logo } from "#web/ui/Logo.tsx";

export interface ChatFootProps {
  agentName?: string;
  /** Whether the built-in model is known to write the replies. */
  isOffline?: boolean;
}

export function ChatFoot({ agentName, isOffline = false }: ChatFootProps) {
  const { t } = useTranslation("chat");
  const { user } = useFrame();
  const note = isOffline ? t("app:offlineModels") : t("visitorNote", { agentName });
  return (
    <div className="flex shrink-0 items-center gap-2 px-2 pb-1.5">
      <a href={user ? "/dashboard" : "/"} className="flex h-8 items-center rounded-md px-2 hover:bg-hover">
        <Logo isSmall />
      </a>
      <p className="min-w-0 flex-1 text-center text-muted text-xs">{agentName && note}</p>
      <PreferencesMenu up />
    </div>
  );
}
