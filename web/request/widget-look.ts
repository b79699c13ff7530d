// Owns the agent's settings that the widget's script needs before it draws its button. They are served as a script,
// since a page that allows the widget allows scripts and frames of this host and nothing else. A private agent is
// indistinguishable from a missing one.
import type { Context } from "hono";
import { defaultLanguage } from "../../locales/registry.ts";
import { BRAND_PATTERN, textOn } from "../client/brand-colors.ts";
import type { WidgetLook } from "../sdk/look.ts";
import { createApi } from "./api.ts";
import { ApiFailure } from "./api-failure.ts";
import { cookieJar } from "./cookies.ts";
import { commonHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

/** Sets the look on its own script element, as JSON, so it takes no global name of the page. */
export async function serveWidgetLook(c: Context<WebEnv>): Promise<Response> {
  const look = await readLook(c);
  const text = JSON.stringify(JSON.stringify(look)).replace(/</g, "\\u003c");
  return new Response(`document.currentScript.dataset.look=${text}`, {
    headers: {
      ...commonHeaders,
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=300",
    },
  });
}

async function readLook(c: Context<WebEnv>): Promise<Partial<WidgetLook>> {
  const api = createApi({
    cookies: cookieJar(null),
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    locale: defaultLanguage,
    userAgent: c.req.header("user-agent") ?? "",
    signal: c.req.raw.signal,
  });
  try {
    const { appearance } = await api.get("/v1/agents/{id}", { id: c.req.param("id") ?? "" });
    const { color, launcher, position } = appearance;
    return {
      ...(BRAND_PATTERN.test(color) && { color, onColor: textOn(color) }),
      icon: launcher.icon,
      label: launcher.label,
      position,
    };
  } catch (error) {
    if (error instanceof ApiFailure && error.status < 500) return {};
    throw error;
  }
}
