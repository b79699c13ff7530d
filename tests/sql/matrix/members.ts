// The matrix of users, teams, roles, memberships, invitations and API keys.
import { randomUUID } from "node:crypto";
import { holding } from "../../support/actors.ts";
import { systemRoleIds } from "../../support/permissions.ts";
import { importRow, teamImportRow } from "../content-rows.ts";
import { prefix } from "../prefix.ts";
import {
  atWork,
  loggedIn,
  mayGrantAnyButOwner,
  mayGrantOwner,
  nobody,
  type Row,
  type Subject,
  theOutsider,
} from "./cells.ts";

export const users: Subject[] = [
  {
    table: "public.users",
    row: "the viewer",
    key: (w) => ({ id: w.people.viewer }),
    select: holding("users.read"),
    insert: { row: newUser, by: nobody },
    update: { to: () => ({ name: "Changed" }), by: ["viewer"] },
    delete: nobody,
  },
  {
    table: "public.users",
    row: "the outsider",
    key: (w) => ({ id: w.people.outsider }),
    select: [...theOutsider, atWork],
    insert: { row: newUser, by: nobody },
    update: { to: () => ({ locale: "fr" }), by: theOutsider },
    delete: nobody,
  },
  {
    table: "public.users",
    row: "the removed member",
    key: (w) => ({ id: w.people.removed }),
    select: ["removed", atWork],
    insert: { row: newUser, by: nobody },
    update: { to: () => ({ is_admin: true }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.users",
    row: "the banned member",
    key: (w) => ({ id: w.people.banned }),
    select: holding("users.read"),
    insert: { row: newUser, by: nobody },
    update: { to: () => ({ banned_at: null }), by: nobody },
    delete: nobody,
  },
];

function newUser(): Row {
  return { id: randomUUID(), name: "New", email: `${prefix()}@matrix.test` };
}

const newTeam = (): Row => ({ name: "New", codename: `new-${prefix()}` });

export const teams: Subject[] = [
  {
    table: "public.teams",
    row: "the team",
    key: (w) => ({ id: w.team }),
    select: [...holding("team.read"), "invited"],
    // Only public.create_team() creates teams.
    insert: { row: newTeam, by: nobody },
    update: { to: () => ({ name: "Changed" }), by: holding("team.update") },
    delete: holding("team.delete"),
  },
  {
    table: "public.teams",
    row: "the outsider's team",
    key: (w) => ({ id: w.otherTeam }),
    select: [...theOutsider, atWork],
    insert: { row: newTeam, by: nobody },
    update: { to: () => ({ codename: `changed-${prefix()}` }), by: [...theOutsider, atWork] },
    delete: [...theOutsider, atWork],
  },
  {
    table: "public.team_imports",
    row: "what the team was imported from",
    key: (w) => ({ team_id: w.team }),
    select: holding("team.update"),
    insert: { row: (w) => teamImportRow(w.otherTeam), by: nobody },
    update: { to: () => ({ size: 2 }), by: nobody },
    delete: nobody,
  },
  {
    table: "private.import_rows",
    row: "a row of an archive that is not in its table yet",
    key: (w) => ({ team_id: w.team }),
    select: nobody,
    insert: { row: (w) => importRow(w.team, 2), by: nobody },
    update: { to: () => ({ kind: "other" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.permissions",
    row: "a permission",
    key: () => ({ name: "agents.read" }),
    select: loggedIn,
    insert: { row: () => ({ name: "agents.own" }), by: nobody },
    update: { to: () => ({ name: "agents.own" }), by: nobody },
    delete: nobody,
  },
];

const newRole = (team: string | null, ...permissions: string[]): Row => ({
  team_id: team,
  name: "New",
  codename: `new-${prefix()}`,
  permissions,
});

export const roles: Subject[] = [
  {
    table: "public.roles",
    row: "a system role",
    key: () => ({ id: systemRoleIds.viewer }),
    select: loggedIn,
    insert: { row: () => newRole(null, "team.read"), by: nobody },
    update: { to: () => ({ name: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.roles",
    row: "a role of the team",
    key: (w) => ({ id: w.spareRole }),
    select: holding("roles.read"),
    insert: { row: (w) => newRole(w.team, "team.read"), by: holding("roles.write") },
    update: { to: () => ({ name: "Changed" }), by: holding("roles.write") },
    delete: holding("roles.write"),
  },
  {
    table: "public.roles",
    row: "a role of the team, given more than an admin has",
    key: (w) => ({ id: w.spareRole }),
    select: holding("roles.read"),
    insert: { row: (w) => newRole(w.team, "team.delete"), by: holding("roles.write", "team.delete") },
    update: {
      to: () => ({ permissions: ["team.read", "team.delete"] }),
      by: holding("roles.write", "team.delete"),
    },
    delete: holding("roles.write"),
  },
  {
    table: "public.roles",
    row: "a role of the team that holds more than an admin has",
    key: (w) => ({ id: w.strongRole }),
    select: holding("roles.read"),
    insert: { row: (w) => newRole(w.team, "sources.write"), by: holding("roles.write", "sources.write") },
    update: { to: () => ({ permissions: ["team.read"] }), by: holding("roles.write", "team.delete") },
    delete: holding("roles.write", "team.delete"),
  },
  {
    table: "public.roles",
    row: "a role of the outsider's team",
    key: (w) => ({ id: w.otherRole }),
    select: [...theOutsider, atWork],
    insert: { row: (w) => newRole(w.otherTeam, "team.read"), by: [...theOutsider, atWork] },
    update: { to: () => ({ name: "Changed" }), by: [...theOutsider, atWork] },
    delete: [...theOutsider, atWork],
  },
];

const invitation = (team: string, role: string): Row => ({
  team_id: team,
  email: `${prefix()}@matrix.test`,
  role_id: role,
});

export const members: Subject[] = [
  {
    table: "public.team_users",
    row: "the viewer's membership",
    key: (w) => ({ team_id: w.team, user_id: w.people.viewer }),
    select: holding("users.read"),
    insert: { row: (w) => invitation(w.team, systemRoleIds.viewer), by: mayGrantAnyButOwner },
    update: { to: () => ({ role_id: systemRoleIds.editor }), by: mayGrantAnyButOwner },
    delete: [...mayGrantAnyButOwner, "viewer"],
  },
  {
    table: "public.team_users",
    row: "the admin's membership, made an owner's",
    key: (w) => ({ team_id: w.team, user_id: w.people.admin }),
    select: holding("users.read"),
    insert: { row: (w) => invitation(w.team, systemRoleIds.owner), by: mayGrantOwner },
    update: { to: () => ({ role_id: systemRoleIds.owner }), by: mayGrantOwner },
    delete: mayGrantAnyButOwner,
  },
  {
    table: "public.team_users",
    row: "the admin's membership, given a role that holds more",
    key: (w) => ({ team_id: w.team, user_id: w.people.admin }),
    select: holding("users.read"),
    insert: { row: (w) => invitation(w.team, w.strongRole), by: mayGrantOwner },
    update: { to: (w) => ({ role_id: w.strongRole }), by: mayGrantOwner },
    delete: mayGrantAnyButOwner,
  },
  {
    table: "public.team_users",
    row: "an owner's membership",
    key: (w) => ({ team_id: w.team, user_id: w.people.owner }),
    select: holding("users.read"),
    insert: { row: (w) => invitation(w.team, systemRoleIds.admin), by: mayGrantAnyButOwner },
    update: { to: () => ({ role_id: systemRoleIds.viewer }), by: mayGrantOwner },
    delete: mayGrantOwner,
  },
  {
    table: "public.team_users",
    row: "the membership of the one with a custom role",
    key: (w) => ({ team_id: w.team, user_id: w.people["custom role"] }),
    select: holding("users.read"),
    insert: { row: (w) => invitation(w.team, w.customRole), by: holding("users.write") },
    update: { to: (w) => ({ role_id: w.spareRole }), by: holding("users.write") },
    delete: holding("users.write"),
  },
  {
    table: "public.team_users",
    row: "an invitation that waits, answered",
    key: (w) => ({ team_id: w.team, email: w.email("invited") }),
    select: [...holding("users.read"), "invited"],
    insert: { row: (w) => invitation(w.team, w.spareRole), by: holding("users.write") },
    update: { to: () => ({ status: "accepted" }), by: ["invited"] },
    delete: [...mayGrantAnyButOwner, "invited"],
  },
  {
    table: "public.team_users",
    row: "an invitation that waits, for another role",
    key: (w) => ({ team_id: w.team, email: w.email("invited") }),
    select: [...holding("users.read"), "invited"],
    insert: { row: (w) => ({ ...invitation(w.team, w.spareRole), status: "accepted" }), by: nobody },
    update: { to: () => ({ role_id: systemRoleIds.admin }), by: mayGrantAnyButOwner },
    delete: [...mayGrantAnyButOwner, "invited"],
  },
  {
    table: "public.team_users",
    row: "a rejected invitation, accepted after all",
    key: (w) => ({ team_id: w.team, email: w.email("rejected") }),
    select: [...holding("users.read"), "rejected"],
    insert: { row: (w) => ({ ...invitation(w.team, w.spareRole), user_id: w.people.removed }), by: nobody },
    update: { to: () => ({ status: "accepted" }), by: nobody },
    delete: [...mayGrantAnyButOwner, "rejected"],
  },
  {
    table: "public.team_users",
    row: "a rejected invitation, sent again",
    key: (w) => ({ team_id: w.team, email: w.email("rejected") }),
    select: [...holding("users.read"), "rejected"],
    insert: { row: (w) => ({ ...invitation(w.team, w.spareRole), invited_by: w.people.owner }), by: nobody },
    update: { to: () => ({ status: "pending" }), by: mayGrantAnyButOwner },
    delete: [...mayGrantAnyButOwner, "rejected"],
  },
  {
    table: "public.team_users",
    row: "the banned owner's membership",
    key: (w) => ({ team_id: w.team, user_id: w.people.banned }),
    select: holding("users.read"),
    insert: { row: (w) => invitation(w.otherTeam, systemRoleIds.viewer), by: [...theOutsider, atWork] },
    update: { to: () => ({ role_id: systemRoleIds.viewer }), by: mayGrantOwner },
    delete: mayGrantOwner,
  },
];

const newKey = (team: string, role: string): Row => ({
  team_id: team,
  name: "New",
  role_id: role,
  prefix: prefix(),
  // Bytes with the same form in JSON, text and binary.
  secret_hash: "x".repeat(32),
});

export const apiKeys: Subject[] = [
  {
    table: "public.api_keys",
    row: "an editor's API key",
    key: (w) => ({ id: w.apiKey }),
    select: holding("apiKeys.read"),
    insert: { row: (w) => newKey(w.team, systemRoleIds.editor), by: holding("apiKeys.write") },
    update: { to: () => ({ name: "Changed" }), by: holding("apiKeys.write") },
    delete: holding("apiKeys.write"),
  },
  {
    table: "public.api_keys",
    row: "an editor's API key, made an owner's",
    key: (w) => ({ id: w.apiKey }),
    select: holding("apiKeys.read"),
    insert: {
      row: (w) => newKey(w.team, systemRoleIds.owner),
      by: holding("apiKeys.write", "team.delete"),
    },
    update: { to: () => ({ role_id: systemRoleIds.owner }), by: holding("apiKeys.write", "team.delete") },
    delete: holding("apiKeys.write"),
  },
  {
    table: "public.api_keys",
    row: "an owner's API key",
    key: (w) => ({ id: w.ownerApiKey }),
    select: holding("apiKeys.read"),
    insert: { row: (w) => newKey(w.otherTeam, systemRoleIds.viewer), by: [...theOutsider, atWork] },
    update: { to: () => ({ name: "Changed" }), by: holding("apiKeys.write", "team.delete") },
    // A manager of keys may revoke any of them.
    delete: holding("apiKeys.write"),
  },
];
