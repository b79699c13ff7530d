// Refusals of the forms about a team's people and roles.
import { newMember, newPerson, newTeam, uniqueEmail } from "../api.ts";
import { systemRoleIds } from "../permissions.ts";
import type { Refused, Stand } from "./stand.ts";

const members = ({ team }: Stand) => `/v1/teamUsers/${team.id}/users`;

/** A person with an invitation that waits. */
async function invitePerson(stand: Stand) {
  const person = await stand.reads(await newPerson("Test Invited"));
  const answer = await stand.team.owner.post(members(stand), {
    email: person.email,
    roleId: systemRoleIds.viewer,
  });
  const invites = `${members(stand)}/${person.id}/invites`;
  const reply = (status: string) => person.put(invites, { status, roleId: "" });
  return { person, row: answer.body.id as string, reply };
}

export const membersMeanwhile: Refused[] = [
  {
    code: "lastOwner",
    says: "errors:refusals.lastOwner",
    status: 409,
    at: "dialog",
    open: async (stand) => {
      const team = await newTeam();
      const other = await stand.reads(await newMember(team, "owner"));
      return {
        web: await stand.browser(other),
        page: `/teams/${team.codename}/users/${other.id}`,
        form: "leave",
        meanwhile: () => team.owner.delete(`/v1/teamUsers/${team.id}/users/${team.owner.id}`),
      };
    },
  },
  {
    code: "joined",
    says: "errors:refusals.joined",
    status: 409,
    at: "page",
    open: async (stand) => {
      const { row, reply } = await invitePerson(stand);
      return { page: `${stand.at}/users/${row}`, form: "again", meanwhile: () => reply("accepted") };
    },
  },
  {
    code: "answered",
    says: "errors:refusals.answered",
    status: 409,
    at: "page",
    open: async (stand) => {
      const { person, reply } = await invitePerson(stand);
      return {
        web: await stand.browser(person),
        page: "/teams",
        form: "invitation",
        typed: { status: "rejected" },
        meanwhile: () => reply("accepted"),
      };
    },
  },
  {
    code: "taken",
    says: "users:invite.known",
    status: 422,
    at: "emails",
    open: async (stand) => {
      const email = uniqueEmail("invited");
      return {
        page: `${stand.at}/users`,
        typed: { emails: email },
        meanwhile: () => stand.team.owner.post(members(stand), { email, roleId: systemRoleIds.viewer }),
      };
    },
  },
  {
    code: "inUse",
    says: "errors:refusals.inUse",
    status: 409,
    at: "dialog",
    open: async (stand) => {
      const { team } = stand;
      const made = await team.owner.post("/v1/roles", {
        teamId: team.id,
        name: "Soon in use",
        permissions: ["team.read", "agents.read"],
      });
      const { id } = made.body;
      return {
        page: `${stand.at}/roles/${id}`,
        form: "delete",
        meanwhile: () => newMember(team, id),
      };
    },
  },
  {
    code: "FORBIDDEN",
    says: "errors:FORBIDDEN.description",
    status: 403,
    at: "page",
    kept: "Typed by an editor until then.",
    open: async (stand) => {
      const editor = await stand.member("editor");
      const agent = await stand.create("/agents", { name: "Watched" });
      return {
        web: await stand.browser(editor),
        page: `${stand.at}/agents/${agent}`,
        typed: { instructions: "Typed by an editor until then." },
        meanwhile: () =>
          stand.team.owner.put(`${members(stand)}/${editor.id}`, { roleId: systemRoleIds.viewer }),
      };
    },
  },
  {
    code: "NOT_FOUND",
    says: "app:error.teamGone",
    status: 404,
    at: "page",
    kept: "Typed by a member until then.",
    open: async (stand) => {
      const editor = await stand.member("editor");
      const agent = await stand.create("/agents", { name: "Left" });
      return {
        web: await stand.browser(editor),
        page: `${stand.at}/agents/${agent}`,
        typed: { instructions: "Typed by a member until then." },
        meanwhile: () => stand.team.owner.delete(`${members(stand)}/${editor.id}`),
      };
    },
  },
  {
    code: "USER_NOT_EXISTS",
    says: "errors:NOT_FOUND.description",
    status: 404,
    at: "page",
    open: async (stand) => {
      const person = await newMember(stand.team, "viewer");
      return {
        page: `${stand.at}/users/${person.id}`,
        form: "role",
        meanwhile: () => stand.team.owner.delete(`${members(stand)}/${person.id}`),
      };
    },
  },
];
