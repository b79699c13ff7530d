// Owns the description of a refusal that a concurrent change causes: the page that is opened, the change, and the sentence that the reader
// must see, and where. Also a browser without JavaScript that keeps its cookies. Does not judge the answers.
import type { LanguageCode } from "../../../locales/registry.ts";
import { newMember, type owner, type Person, type Team } from "../api.ts";
import type { OpenAiFake } from "../fakes/openai.ts";
import type { SystemRole } from "../permissions.ts";
import { findStack } from "../stack.ts";
import type { WebSession } from "../web-forms.ts";
import type { WordKey } from "../words.ts";

export interface Stand {
  language: LanguageCode;
  team: Team;
  /** The team's pages. */
  at: string;
  /** An owner of the team who reads the language. */
  web: Browser;
  sql: Awaited<ReturnType<typeof owner>>;
  fake: OpenAiFake;
  /** Creates something in the team. @returns its id */
  create(path: string, body?: unknown): Promise<string>;
  /** A browser with the person's session; without a person, one that is logged out. */
  browser(person?: Person): Promise<Browser>;
  /** A member of the team who reads the language. */
  member(role: SystemRole): Promise<Person>;
  reads(person: Person): Promise<Person>;
}

interface Opened {
  web?: Browser;
  page: string;
  form?: string;
  typed?: Record<string, string | string[]>;
  /** Hidden fields that tell one of several forms of this name. */
  fields?: Record<string, string>;
  /** Sent instead of the form, such as a file. */
  body?: (form: URLSearchParams) => FormData;
  /** Where the body goes, if not to the page. */
  action?: string;
  /** What changes after the page was opened. */
  meanwhile?: () => Promise<unknown>;
}

export interface Refused {
  /** Of the API's catalogues; the error's and its detail's. */
  code: string | string[];
  /** Or one of several sentences. */
  says: WordKey | WordKey[];
  values?: Record<string, string | number | RegExp>;
  status: number;
  /**
   * A field; "above" the form; in its open "dialog"; "page" when the page no longer has the form, so that the reason and what was typed are
   * on the page itself; "next" on the page that the reader is sent to.
   */
  at: string;
  /** A text that must still be there to copy. */
  kept?: string;
  open(stand: Stand): Promise<Opened>;
}

export interface Browser extends WebSession {
  /** The page that a response redirects to, and what it shows. */
  follow(location: string): ReturnType<WebSession["get"]>;
  cookie(): string;
}

/** As newMember(), whose pages are in the language. */
export async function readingMember(team: Team, role: SystemRole, language: LanguageCode): Promise<Person> {
  const person = await newMember(team, role);
  await person.put(`/v1/users/${person.id}`, { locale: language });
  return person;
}

/** @param person nobody is logged in without one */
export async function openBrowser(language: LanguageCode, person?: Person): Promise<Browser> {
  const { webUrl } = await findStack();
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, webUrl), {
      redirect: "manual",
      ...init,
      headers: { cookie: cookie(), origin: webUrl, "accept-language": language },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const browser: Browser = {
    get: (path) => ask(path),
    post: (path, form) => ask(path, { method: "POST", body: form }),
    follow: (location) => ask(location),
    cookie,
  };
  if (person) {
    const form = new URLSearchParams({ email: person.email, password: person.password });
    const { status } = await browser.post("/login", form);
    if (status !== 303) throw new Error(`Not logged in: ${status}`);
  }
  return browser;
}
