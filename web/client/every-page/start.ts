// The data that the server wrote into the page for the client.
import type { Words } from "#locales/translate.ts";
import type { Toast } from "../../render/rendered.ts";

interface Start {
  buildId: string;
  /** Id of the user whom the page was rendered for; null when logged out. */
  person: string | null;
  locale: string;
  /** The time zone of the dates on the page. */
  timeZone: string;
  messages: Record<string, Words>;
  /** The few texts of the client's own. */
  labels: {
    close: string;
    undo: string;
    logIn: string;
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
    slow: string;
    slowText: string;
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
