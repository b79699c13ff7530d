// A preview of an agent's page and widget, in one of the two themes.
import { ArrowUp } from "lucide-react";
import type { CSSProperties } from "react";
import { useTranslation } from "#translations";
import { brandStyle } from "#web/client/brand-colors.ts";
import { ChatTop } from "#web/pages/chats/ChatTop.tsx";
import { ICONS } from "#web/sdk/look.ts";

export interface AppearanceLook {
  name: string;
  color: string;
  greeting: string;
  icon: string;
  label: string;
  position: string;
}

export interface AppearanceSceneProps {
  scheme: "light" | "dark";
  look: AppearanceLook;
  agent: { name: string; description: string; suggestedPrompts: string[] };
  picture: string | null;
}

export function AppearanceScene({ scheme, look, agent, picture }: AppearanceSceneProps) {
  const { t } = useTranslation("appearance");
  const name = look.name || agent.name;
  const style = { colorScheme: scheme, ...brandStyle(look.color) } as CSSProperties;
  const greeting = look.greeting || t("chat:greeting", { agentName: name });
  const [prompt] = agent.suggestedPrompts;
  return (
    <div data-scene={scheme} style={style} className="min-w-0 space-y-4 rounded-md bg-sunken p-3 text-ink">
      <figure className="overflow-hidden rounded-md border border-line bg-ground">
        <figcaption className="border-line border-b bg-sunken px-3 py-1 text-muted text-xs">
          {t(`preview.page.${scheme}`)}
        </figcaption>
        <ChatTop
          isPicture
          name={name}
          picture={picture}
          line={agent.description && <p className="truncate text-muted text-sm">{agent.description}</p>}
        />
        {/* Padding of its own would show the clamped lines. */}
        <div className="px-4 py-5">
          <p dir="auto" className="line-clamp-3 font-medium text-lg [overflow-wrap:anywhere]">
            {greeting}
          </p>
        </div>
      </figure>
      <figure>
        <figcaption className="mb-1 px-1 text-muted text-xs">{t(`preview.widget.${scheme}`)}</figcaption>
        <div className="overflow-hidden rounded-lg border border-line bg-ground shadow-popover">
          <ChatTop isPicture name={name} picture={picture} />
          <div className="space-y-3 px-4 py-4">
            <p dir="auto" className="line-clamp-3 font-medium [overflow-wrap:anywhere]">
              {greeting}
            </p>
            {prompt && (
              <p
                dir="auto"
                className="w-fit max-w-full truncate rounded-md border border-line bg-raised px-3 py-1.5 text-sm"
              >
                {prompt}
              </p>
            )}
            <p className="text-sm">
              {t("preview.reply")}{" "}
              <span className="text-accent-ink underline underline-offset-2">{t("preview.link")}</span>{" "}
              <span className="rounded-sm bg-accent-soft px-1 font-medium text-accent-ink text-xs">1</span>
            </p>
          </div>
          <div className="m-3 flex items-center gap-2 rounded-lg border border-line-strong bg-raised p-1.5">
            <span className="min-w-0 flex-1 truncate px-2 text-faint">
              {t("chat:placeholder", { agentName: name })}
            </span>
            <span className="grid size-9 shrink-0 place-items-center rounded-md bg-accent text-on-accent">
              <ArrowUp aria-hidden className="size-4" />
            </span>
          </div>
        </div>
        <div className={`mt-3 flex ${look.position === "left" ? "justify-start" : "justify-end"}`}>
          <span
            data-launcher
            className="flex h-14 min-w-14 items-center justify-center gap-2.5 rounded-full bg-accent px-[0.95rem] text-on-accent shadow-popover"
          >
            <svg
              aria-hidden
              viewBox="0 0 24 24"
              className="size-6.5 fill-none stroke-2 stroke-current [stroke-linecap:round] [stroke-linejoin:round]"
            >
              <path d={ICONS[look.icon] ?? ICONS.chat} />
            </svg>
            {look.label && <span className="min-w-0 truncate pr-1 font-semibold">{look.label}</span>}
          </span>
        </div>
      </figure>
    </div>
  );
}
