// The short addresses of a team's pages, such as /agents. They redirect to the current team's.

const PREFIXES = /^\/(agents|knowledges|sources|apps|playground)(\/.*)?$|^\/(chats)\/?$/;

/** The path below the team for a short address, "agents/ID"; null for any other. /chats/ID is a page of its own. */
export function belowTeam(pathname: string): string | null {
  const [, prefix, rest = "", chats] = PREFIXES.exec(pathname) ?? [];
  return chats ?? (prefix ? prefix + rest : null);
}
