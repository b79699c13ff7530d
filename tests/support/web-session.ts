// Owns a session in the web app, as a browser without scripts has it: a login form and its cookies.
import { findStack } from "./stack.ts";

/** Logs in with the form. @returns the response, whose cookies are the session */
export async function postLogin(
  { email, password }: { email: string; password: string },
  more: { next?: string; cookie?: string } = {},
): Promise<Response> {
  const { webUrl } = await findStack();
  return await fetch(`${webUrl}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: webUrl, ...(more.cookie ? { cookie: more.cookie } : {}) },
    body: new URLSearchParams({ email, password, ...(more.next === undefined ? {} : { next: more.next }) }),
  });
}

/** The Cookie header that a browser sends after a response. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
