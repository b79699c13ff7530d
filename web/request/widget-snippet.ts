// The script tag that embeds an agent's chat in a page.
import { env } from "./env.ts";

export const widgetSnippet = (agentId: string): string =>
  `<script src="${env.SDK_URL.replace(/\/$/, "")}/widget.js" data-agent="${encodeURIComponent(agentId)}" async></script>`;
