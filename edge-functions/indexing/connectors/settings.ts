// Owns what the settings of every connector are checked by: addresses of services, and a config of the right shape. Pure
// but for PARLEY_OUTBOUND_ALLOW.
import { z } from "zod";
import { isAllowedPlace } from "../../_shared/outbound.ts";
import { type Source, SourceRefused } from "./connector.ts";

/** A secret that goes into a header: one line of visible characters. */
export const secret = z
  .string()
  .trim()
  .min(1)
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, "This is not a token: it has spaces or other characters that no token has.");

/**
 * The address of a service, as its origin: "acme.example.com" and "https://acme.example.com/some/page" both give
 * "https://acme.example.com".
 * @param suffix what the host has to end with, unless PARLEY_OUTBOUND_ALLOW names it
 */
export function serviceAddress(suffix?: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(500)
    .transform((text, context) => {
      const url = originOf(text);
      const isRight = url && (isAllowedPlace(url) || (url.protocol === "https:" && endsWith(url, suffix)));
      if (isRight) return url.origin;
      const message = suffix
        ? `Give an address that ends with ${suffix}.`
        : "Give an address that begins with https://.";
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    });
}

function originOf(text: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return url && !url.username && !url.password && url.hostname.includes(".") ? url : undefined;
}

const endsWith = (url: URL, suffix: string | undefined) =>
  suffix === undefined || (url.hostname.endsWith(suffix) && url.port === "");

/**
 * A source's settings as its connector needs them. They were checked when they were written, but not every door checks.
 * @throws SourceRefused
 */
export function settingsOf<C, S>(
  source: Source,
  config: z.ZodType<C>,
  credentials: z.ZodType<S>,
): { config: C; credentials: S } {
  const settings = config.safeParse(source.config);
  if (!settings.success) throw new SourceRefused("The settings of this source are not complete.", "config");
  const login = credentials.safeParse(source.credentials);
  if (!login.success)
    throw new SourceRefused(
      "This source has no credentials to log in with. Enter them again.",
      "credentials",
    );
  return { config: settings.data, credentials: login.data };
}
