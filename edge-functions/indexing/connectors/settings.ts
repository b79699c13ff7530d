// Owns how a connector gets its settings and the service to call. Validates both again, since not every way to write a source's row
// does.

import type { z } from "zod";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { ConnectorContext } from "./connector.ts";
import { type Source, SourceRefused } from "./connector.ts";
import {
  configSchema,
  credentialsSchema,
  type Declaration,
  type Fields,
  type Settings,
} from "./declaration.ts";
import type { Service } from "./http.ts";

type Values<F extends Fields> = { [Name in keyof F]: z.output<F[Name]["schema"]> };

/** @throws SourceRefused */
function settingsOf<S extends Fields>(source: Source, declaration: Settings<S>): Values<S> {
  const settings = configSchema(declaration).safeParse(source.config);
  // The output type of a strict object of these schemas.
  if (settings.success) return settings.data as Values<S>;
  throw new SourceRefused(sentenceOf("settingsIncomplete"), "config");
}

/** The credentials; null when none were entered and none are required. @throws SourceRefused */
function credentialsOf<C extends Fields>(
  source: Source,
  declaration: Pick<Declaration<Fields, C>, "credentials" | "login">,
): Values<C> | null {
  if (declaration.login !== "required" && source.credentials === null) return null;
  const login = credentialsSchema(declaration).safeParse(source.credentials);
  if (login.success) return login.data as Values<C>;
  throw new SourceRefused(sentenceOf("noCredentials"), "credentials");
}

/**
 * A source's settings and the service that they name, which is called with the credentials, at the declared addresses only.
 * @param login converts credentials to headers
 * @throws SourceRefused
 */
export function connect<S extends Fields, C extends Fields>(
  { source, signal }: ConnectorContext,
  declaration: Declaration<S, C>,
  { renew, login }: { renew: string; login: (credentials: Values<C>) => Record<string, string> },
): { config: Values<S>; service: Service } {
  const config = settingsOf(source, declaration);
  const credentials = credentialsOf(source, declaration);
  const given = declaration.addresses.filter((name) => config[name] !== undefined);
  const addresses = given.map((name) => new URL(String(config[name])).origin);
  const headers = credentials ? login(credentials) : {};
  return { config, service: { name: declaration.name, renew, signal, addresses, headers } };
}
