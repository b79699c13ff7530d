// Owns accounts for browser tests: the seeded ones, and new ones confirmed through the real mailbox.
import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const MAILBOX = process.env.MAILBOX_URL ?? `http://127.0.0.1:${54324 + offset}`;

export interface Account {
  name: string;
  email: string;
  password: string;
}

/** Owns the team `demo`; seeded. Do not change data that other tests read. */
export const demo: Account = { name: "Demo", email: "demo@parley.test", password: "demo-parley-1" };

/** An unregistered account. */
export function someone(name = "Ada Example"): Account {
  return { name, email: `${randomUUID()}@parley.test`, password: `pw-${randomUUID()}` };
}

interface Mail {
  subject: string;
  html?: string;
  text?: string;
  to: { address: string }[];
}

/** The newest mail to an address, once delivered. */
export async function mailTo(address: string): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${MAILBOX}/email`);
        const mails = (await answer.json()) as Mail[];
        found = mails.findLast((mail) =>
          mail.to.some((to) => to.address.toLowerCase() === address.toLowerCase()),
        );
        return found !== undefined;
      },
      { message: `a mail to ${address}` },
    )
    .toBe(true);
  if (!found) throw new Error(`No mail to ${address}`);
  return found;
}

/** The first link of a mail to a path of the app. */
export async function linkIn(mail: Mail, path: string): Promise<string> {
  const links = [...(mail.html ?? mail.text ?? "").matchAll(/https?:\/\/[^\s"'<>]+/g)].map(([link]) =>
    link.replaceAll("&amp;", "&"),
  );
  const link = links.find((candidate) => new URL(candidate).pathname === path);
  if (!link) throw new Error(`The mail "${mail.subject}" has no link to ${path}`);
  return link;
}

/**
 * Posts a form of the app without rendering its page or the next, which takes a second of CPU.
 * @returns the redirect's URL
 */
async function post(page: Page, path: string, form: Record<string, string>): Promise<string> {
  const language = await page.evaluate(() => navigator.language);
  const headers = { "accept-language": language };
  const answer = await page.request.post(path, { form, headers, maxRedirects: 0 });
  expect(answer.status(), `${path} answers with a redirect`).toBe(303);
  return answer.headers().location ?? "";
}

/** Starts a session with the form's request alone: the page stays. */
export async function logIn(page: Page, { email, password }: Account): Promise<void> {
  expect(await post(page, "/login", { email, password })).toBe("/dashboard");
}

/** Registers and confirms through the mailbox, which logs in, with requests alone: the page stays. */
export async function register(page: Page, { name, email, password }: Account): Promise<void> {
  expect(await post(page, "/register", { name, email, password })).toMatch(/^\/confirm\?/);
  // Followed to its end, so that one-time messages have been shown.
  const confirmed = await page.request.get(await linkIn(await mailTo(email), "/confirm"));
  expect(new URL(confirmed.url()).pathname).toBe("/teams/create");
}

/** Logs in through the form, in any language, and waits for the next page. */
export async function logInByForm(page: Page, account: Account): Promise<void> {
  await page.goto("/login");
  await page.locator("#email").fill(account.email);
  await page.locator("#password").fill(account.password);
  await page.locator("main form button").click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

/** Registers and confirms through the mailbox, which logs in, all in the browser. Ends on the creation of a team. */
export async function registerByForm(page: Page, account: Account): Promise<void> {
  await page.goto("/register");
  await page.locator("#name").fill(account.name);
  await page.locator("#email").fill(account.email);
  await page.locator("#password").fill(account.password);
  await page.locator("main form button").click();
  await page.waitForURL("**/confirm?*");
  await page.goto(await linkIn(await mailTo(account.email), "/confirm"));
  await page.waitForURL("**/teams/create");
}
