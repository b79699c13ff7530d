// What the server wrote into the page for the client to start from.
import type { Words } from "#locales/translate.ts";
import type { Toast } from "../rendered.ts";

interface Start {
  buildId: string;
  /** Who the page was rendered for; null for nobody. */
  person: string | null;
  locale: string;
  /** In which the server wrote the page's moments. */
  timeZone: string;
  messages: Record<string, Words>;
  /** The few words that the client itself says. */
  labels: {
    close: string;
    undo: string;
    notification: string;
    notifications: string;
    palette: string;
    unavailable: string;
    broken: string;
    brokenText: string;
    reload: string;
    unsent: string;
    offline: string;
    offlineText: string;
    leave: string;
    leaveText: string;
    stay: string;
    go: string;
    resumed: string;
    resumedText: string;
  };
  toast: Toast | null;
}

export const start: Start = JSON.parse(document.getElementById("start")?.textContent ?? "{}");
