// Owns the rows of archives from release 1.0.0, whose database took values past /v1 that today's refuses: gives them the form that the
// upgrade of that database gives them. Pure.
import { plainText } from "../_shared/text/plain-text.ts";
import { declarationOf } from "../indexing/connectors/registry.ts";
import type { TableName } from "./rows.ts";
import { mailAddress } from "./shapes.ts";

type Line = Record<string, unknown>;

/** The type of a later connector, which a client could give a document of its own. */
const laterType = "website";
/** No site is there: an empty list would let every site show the agent. */
const nowhere = "https://nowhere.invalid";
/** No channel has this id: an empty list would have the app answer in all of them. */
const noChannel = "C00";

const visible = (value: unknown, otherwise: string) =>
  typeof value === "string" ? plainText(value) || otherwise : value;

/** Postgres took lists of lists. */
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY).filter((one) => typeof one === "string") : [];

/** A list whose members restrict something: one that had members keeps one. */
function keepRestriction(value: unknown, isValid: (one: string) => boolean, otherwise: string): string[] {
  const valid = textsIn(value).filter(isValid);
  return valid.length === 0 && Array.isArray(value) && value.length > 0 ? [otherwise] : valid;
}

const upgradeName = ({ name }: Line): Line => ({ name: visible(name, "Unnamed") });

const upgrades: Partial<Record<TableName, (line: Line) => Line | undefined>> = {
  files: upgradeName,
  knowledges: upgradeName,
  api_keys: upgradeName,
  roles: (role) => ({ ...upgradeName(role), permissions: [...new Set(textsIn(role.permissions))] }),
  agents: (agent) => ({
    ...upgradeName(agent),
    model: visible(agent.model, ""),
    suggestedPrompts: textsIn(agent.suggestedPrompts)
      .map((prompt) => plainText(prompt.slice(0, 300)))
      .filter((prompt) => prompt !== "")
      .slice(0, 12),
    allowedOrigins: keepRestriction(agent.allowedOrigins, (origin) => origin !== "", nowhere),
  }),
  sources: (source) => ({ ...upgradeName(source), config: knownSettings(source) }),
  documents: ({ type, title, url }) => ({
    type: type === laterType ? "page" : visible(type, "text"),
    title: visible(title, "Untitled"),
    url: typeof url === "string" ? addressIn(url) : url,
  }),
  chats: ({ title }) => ({ title: visible(title, "") }),
  apps: (app) => ({
    ...upgradeName(app),
    channels: keepRestriction(app.channels, (id) => /^[CGD][A-Z0-9]{2,30}$/.test(id), noChannel),
  }),
  // Nobody can register an address that is none, so nobody could ever accept.
  team_users: ({ email, userId }) =>
    userId === null && !mailAddress.safeParse(email).success ? undefined : {},
};

/** The export's team as today's release writes it. */
export const upgradeTeam = (team: unknown): unknown =>
  typeof team === "object" && team !== null ? { ...team, ...upgradeName(team as Line) } : team;

/** A line as today's release writes it; undefined for one that the upgrade removes. */
export function upgradeLine(table: TableName, line: unknown): unknown {
  if (typeof line !== "object" || line === null) return line;
  const changes = (upgrades[table] ?? (() => ({})))(line as Line);
  return changes && { ...line, ...changes };
}

/** The settings that a source's connector declares and accepts. */
function knownSettings({ type, config }: Line): unknown {
  const settings = declarationOf(String(type))?.settings;
  if (!settings || typeof config !== "object" || config === null) return config;
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => {
      const known = Object.hasOwn(settings, name) ? settings[name]?.schema.safeParse(value) : undefined;
      return known?.success ? [[name, known.data]] : [];
    }),
  );
}

/** The web address that a document's text begins with. */
const addressIn = (url: string) =>
  /^https?:\/\/\S{1,1990}/.exec(plainText(url).replaceAll(" ", "%20"))?.[0] ?? null;
