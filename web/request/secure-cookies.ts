// Owns whether a browser stores Secure cookies of this installation. Does not set them.
import { programOf } from "../pages/account/program.ts";
import { env } from "./env.ts";
import { LOOPBACK } from "./origin.ts";

const { protocol, hostname } = new URL(env.WEB_URL);
const isPlainLoopback = protocol === "http:" && LOOPBACK.has(hostname);

/**
 * True unless the browser is Safari and the installation is on this machine's own http. Other browsers treat http://127.0.0.1 as
 * trustworthy and store its Secure cookies; Safari drops them, so nobody could log in. At any other address cookies are always Secure.
 */
export const keepsSecureCookies = (userAgent: string | null): boolean =>
  !isPlainLoopback || programOf(userAgent ?? "").browser !== "Safari";
