// What the server wrote into the page for the client to start from.
import type { Words } from "../../browser/words.ts";
import type { Toast } from "../rendered.ts";

interface Start {
  buildId: string;
  locale: string;
  messages: Record<string, Words>;
  /** The few words that the client itself says. */
  labels: {
    close: string;
    notification: string;
    notifications: string;
    palette: string;
    unavailable: string;
  };
  toast: Toast | null;
}

export const start: Start = JSON.parse(document.getElementById("start")?.textContent ?? "{}");
