// Owns a team's pages and forms, as a browser without JavaScript reads and posts them: it follows no redirect and runs no scripts.
import type { Person } from "./api.ts";
import { findStack } from "./stack.ts";
import { cookieOf, postLogin } from "./web-session.ts";

interface Page {
  status: number;
  headers: Headers;
  html: string;
}

export interface WebSession {
  get(path: string): Promise<Page>;
  /** Posts a form as the page itself does. */
  post(path: string, form: URLSearchParams | FormData): Promise<Page>;
}

/** @throws when the login is refused */
export async function signIn(person: Person): Promise<WebSession> {
  const { webUrl } = await findStack();
  const ask = async (path: string, init: RequestInit): Promise<Page> => {
    const response = await fetch(`${webUrl}${path}`, { redirect: "manual", ...init });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const login = await postLogin(person);
  await login.body?.cancel();
  const cookie = cookieOf(login);
  if (!cookie.includes("auth-token")) throw new Error(`Not logged in: ${login.status}`);
  return {
    get: (path) => ask(path, { headers: { cookie } }),
    post: (path, form) => ask(path, { method: "POST", headers: { cookie, origin: webUrl }, body: form }),
  };
}

export interface HtmlForm {
  /** The form's target; "" for the page itself. */
  action: string;
  isMultipart: boolean;
  /** Its fields with their values, and whether a person types in them. */
  fields: { name: string; value: string; isTyped: boolean }[];
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

const plain = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

/** The forms of a page that change something. The HTML comes from our own renderer, which quotes every attribute. */
export function formsIn(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([whole, inner = ""]) => {
      const [tag = ""] = /^<form\b[^>]*>/.exec(whole) ?? [];
      const inputs = [...inner.matchAll(/<(input|textarea|select)\b[^>]*>/g)].flatMap(([field, kind]) => {
        const name = attribute(field, "name");
        const type = attribute(field, "type") ?? "text";
        if (!name || type === "file" || type === "submit") return [];
        if ((type === "checkbox" || type === "radio") && !/\schecked/.test(field)) return [];
        const isTyped = kind === "textarea" || ["text", "email", "search", "number", "url"].includes(type);
        return [
          {
            name: plain(name),
            value: plain(attribute(field, "value") ?? ""),
            isTyped: isTyped || kind === "select",
          },
        ];
      });
      return {
        action: plain(attribute(tag, "action") ?? ""),
        isMultipart: attribute(tag, "enctype") === "multipart/form-data" || /enctype="multipart/i.test(tag),
        fields: inputs,
      };
    },
  );
}
