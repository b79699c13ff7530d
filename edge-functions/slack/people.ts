// Owns who is asking: Slack's profile of a person, and whether an app answers them.
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { log } from "../_shared/operation/log.ts";
import type { App } from "../v1/apps/schema.ts";
import { SlackRefusal } from "./api.ts";
import { isDeadToken, type Workspace } from "./installations.ts";

export type Person = {
  id: string;
  /**
   * member: of the workspace; guest: invited to some channels; stranger: of another workspace, in a shared channel; unread: Slack does not
   * say, for example after an install without the scope users:read.
   */
  kind: "member" | "guest" | "stranger" | "nobody" | "unread";
  teamId: string;
  locale: string | undefined;
};

const user = z.object({
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  locale: z.string().optional(),
  enterprise_user: z.object({ teams: z.array(z.string()).optional() }).optional(),
});

/** Slack's error codes for a person of another workspace whom the app may not see. */
const hidden = new Set(["user_not_found", "user_not_visible"]);
const known = new LRUCache<string, Person>({ max: 2_000, ttl: 5 * 60_000 });

/** Reads a person from Slack, cached for some minutes. @throws SlackRefusal for a token that no longer works; SlackUnreachable */
export async function readPerson(workspace: Workspace, id: string, signal: AbortSignal): Promise<Person> {
  const key = `${workspace.id}:${id}`;
  const cached = known.get(key);
  if (cached) return cached;
  const answer = await workspace
    .call("users.info", { user: id, include_locale: true }, signal)
    .catch((error: unknown) => {
      if (!(error instanceof SlackRefusal) || isDeadToken(error)) throw error;
      if (hidden.has(error.code)) return { user: { is_stranger: true } };
      log("warn", "Slack does not say who asks", { workspace: workspace.id, error: error.message });
      return undefined;
    });
  if (!answer) return { id, kind: "unread", teamId: workspace.id, locale: undefined };
  const found = user.parse(answer.user);
  const person: Person = {
    id,
    kind: kindOf(found, workspace.id),
    teamId: found.team_id ?? workspace.id,
    locale: found.locale,
  };
  known.set(key, person);
  return person;
}

function kindOf(found: z.infer<typeof user>, workspaceId: string): Person["kind"] {
  if (found.deleted || found.is_bot) return "nobody";
  // In an organisation with several workspaces, team_id may be another of its workspaces.
  const isOurs =
    found.team_id === undefined ||
    found.team_id === workspaceId ||
    found.enterprise_user?.teams?.includes(workspaceId);
  if (found.is_stranger || !isOurs) return "stranger";
  return found.is_restricted || found.is_ultra_restricted ? "guest" : "member";
}

export function mayAsk(audience: App["audience"], kind: Person["kind"]): boolean {
  if (kind === "member") return true;
  if (kind === "guest") return audience !== "members";
  return kind === "stranger" && audience === "everyone";
}
