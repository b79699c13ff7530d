// Owns every kind of caller and the claims with which Postgres sees them. tests/sql/world.ts creates their rows; permissions come from
// permissions.ts.
import { type Permission, rolePermissions } from "./permissions.ts";

/** In the order of the matrix. All but the last nine have, or had, access to the team under test. */
export const actors = [
  "owner",
  "admin",
  "editor",
  "viewer",
  "custom role",
  "reader of agents",
  "API key",
  "answering agent",
  "invited",
  "rejected",
  "removed",
  "banned",
  "revoked API key",
  "outsider",
  "outsider claiming to be a platform admin",
  "platform admin",
  "platform admin at work",
  "visitor",
  "visitor through an app",
  "anonymous",
] as const;
export type Actor = (typeof actors)[number];

/** The permissions of the world's custom role: reads of most things and writes of two, so that it equals no system role. */
export const customRolePermissions: readonly Permission[] = [
  "team.read",
  "agents.read",
  "agents.write",
  "knowledges.read",
  "files.write",
  "roles.read",
  "roles.write",
  "users.read",
  "users.write",
  "chats.write",
];

/** The permissions of another role: what its holders see of the rest of the team is a leak. */
export const agentReaderPermissions: readonly Permission[] = ["team.read", "agents.read"];

/** Each actor's permissions in the team under test. Everyone else has none there. */
const held: Partial<Record<Actor, readonly Permission[]>> = {
  owner: rolePermissions.owner,
  admin: rolePermissions.admin,
  editor: rolePermissions.editor,
  viewer: rolePermissions.viewer,
  "custom role": customRolePermissions,
  "reader of agents": agentReaderPermissions,
  "API key": rolePermissions.editor,
  // Acting on /v1/admin, they have every permission in every team.
  "platform admin at work": rolePermissions.owner,
};

const wantedBy = new WeakMap<readonly Actor[], readonly Permission[]>();

/** The actors that have all of some permissions in the team under test. */
export function holding(...wanted: Permission[]): Actor[] {
  const holders = actors.filter((actor) => wanted.every((one) => held[actor]?.includes(one) ?? false));
  wantedBy.set(holders, wanted);
  return holders;
}

/** The permissions with which holding() found these actors; none for any other list. */
export const permissionsFor = (holders: readonly Actor[]): readonly Permission[] =>
  wantedBy.get(holders) ?? [];

export interface Claims {
  role: "anon" | "authenticated" | "service_role";
  sub?: string;
  api_key_id?: string;
  team_id?: string;
  agent_id?: string;
  visitor_id?: string;
  app_id?: string;
  admin?: boolean;
}

export interface ActorIds {
  team: string;
  agent: string;
  apiKey: string;
  revokedApiKey: string;
  visitor: string;
  /** Connected and bound to `agent`. */
  app: string;
  appVisitor: string;
  /** The user ids of the actors that are people. */
  people: Record<Person, string>;
}

/** The actors that are users. Two are platform admins, one of whom is acting as one. */
export const people = [
  "owner",
  "admin",
  "editor",
  "viewer",
  "custom role",
  "reader of agents",
  "invited",
  "rejected",
  "removed",
  "banned",
  "outsider",
  "platform admin",
] as const;
export type Person = (typeof people)[number];

/** An actor's claims, as a verified token or the edge functions pass them to Postgres. */
export function claimsOf(actor: Actor, ids: ActorIds): Claims {
  const user = (person: Person): Claims => ({ role: "authenticated", sub: ids.people[person] });
  switch (actor) {
    case "API key":
      return { role: "authenticated", api_key_id: ids.apiKey, team_id: ids.team };
    case "revoked API key":
      return { role: "authenticated", api_key_id: ids.revokedApiKey, team_id: ids.team };
    case "answering agent":
      return { role: "authenticated", agent_id: ids.agent };
    case "outsider claiming to be a platform admin":
      return { ...user("outsider"), admin: true };
    case "platform admin at work":
      return { ...user("platform admin"), admin: true };
    case "visitor":
      return { role: "anon", visitor_id: ids.visitor };
    case "visitor through an app":
      return { role: "anon", visitor_id: ids.appVisitor, app_id: ids.app };
    case "anonymous":
      return { role: "anon" };
    default:
      return user(actor);
  }
}
