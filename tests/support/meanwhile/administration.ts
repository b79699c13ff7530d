// Refusals of the forms about models, and of the platform's administration.
import { newAdmin, newPerson, newTeam, type Person } from "../api.ts";
import type { Refused, Stand } from "./stand.ts";

const connection = ({ fake }: Stand) => ({ baseUrl: fake.baseUrl, model: "a-model", apiKey: "sk-something" });

const models: Refused[] = [
  {
    code: "modelRoleTaken",
    says: "errors:refusals.modelRoleTaken",
    status: 409,
    at: "page",
    open: async (stand) => {
      const team = await newTeam();
      return {
        web: await stand.browser(await stand.reads(team.owner)),
        page: `/teams/${team.codename}/models?role=chat&provider=custom`,
        form: "connect",
        typed: connection(stand),
        meanwhile: () =>
          team.owner.post(`${team.path}/models`, { role: "chat", provider: "custom", ...connection(stand) }),
      };
    },
  },
  {
    code: "modelTooManyDimensions",
    says: "errors:refusals.modelTooManyDimensions",
    values: { limit: 3584 },
    status: 400,
    at: "model",
    open: async (stand) => ({
      page: `${stand.at}/models?role=embedding&provider=custom`,
      form: "connect",
      typed: connection(stand),
      meanwhile: async () => {
        stand.fake.dimensions = 5000;
      },
    }),
  },
];

/** A platform admin who reads the language. */
async function admin(stand: Stand): Promise<Person> {
  return await stand.reads(await newAdmin());
}

const administration: Refused[] = [
  {
    code: "NOT_FOUND",
    says: "errors:NOT_FOUND.description",
    status: 404,
    at: "page",
    open: async (stand) => {
      const person = await newPerson();
      return {
        web: await stand.browser(await admin(stand)),
        page: `/admin/users/${person.id}`,
        form: "ban",
        meanwhile: () => person.delete(`/v1/users/${person.id}`),
      };
    },
  },
  {
    code: "lastOwner",
    says: "errors:refusals.lastOwner",
    status: 409,
    at: "dialog",
    open: async (stand) => {
      const team = await newTeam();
      return {
        web: await stand.browser(await admin(stand)),
        page: `/admin/users/${team.owner.id}`,
        form: "delete",
      };
    },
  },
  {
    code: "slugTaken",
    says: "errors:refusals.slugTaken",
    status: 409,
    at: "codename",
    open: async (stand) => {
      const team = await newTeam();
      const codename = `wanted-${team.id.slice(-12)}`;
      return {
        web: await stand.browser(await admin(stand)),
        page: `/admin/teams/${team.id}`,
        typed: { codename },
        meanwhile: () => stand.team.owner.post("/v1/teams", { name: "First", codename }),
      };
    },
  },
  {
    code: "NOT_FOUND",
    says: "errors:NOT_FOUND.description",
    status: 404,
    at: "page",
    kept: "Typed by an admin until then.",
    open: async (stand) => {
      const person = await admin(stand);
      const agent = await stand.create("/agents", { name: "Administered" });
      return {
        web: await stand.browser(person),
        page: `/admin/agents/${agent}`,
        typed: { description: "Typed by an admin until then." },
        // To anybody logged in who is no platform admin, the area does not exist.
        meanwhile: () => stand.sql`update public.users set is_admin = false where id = ${person.id}`,
      };
    },
  },
  {
    code: "NOT_AUTHENTICATED",
    says: "auth:login.endedText.unsaved",
    status: 303,
    at: "next",
    open: async (stand) => {
      const person = await admin(stand);
      const agent = await stand.create("/agents", { name: "Administered" });
      return {
        web: await stand.browser(person),
        page: `/admin/agents/${agent}`,
        typed: { description: "Typed before the session ended." },
        meanwhile: () => stand.sql`delete from auth.sessions where user_id = ${person.id}`,
      };
    },
  },
  {
    code: "tooSmall",
    says: "errors:refusals.tooSmall",
    values: { limit: 7 },
    status: 400,
    at: "tasks",
    open: async (stand) => ({
      web: await stand.browser(await admin(stand)),
      page: "/admin/retention",
      typed: { tasks: "0" },
    }),
  },
  {
    code: "modelKeyRefused",
    says: "errors:refusals.modelKeyRefused",
    status: 400,
    at: "apiKey",
    open: async (stand) => ({
      web: await stand.browser(await admin(stand)),
      page: "/admin/models?role=chat&provider=custom",
      form: "connect",
      typed: connection(stand),
      meanwhile: async () => stand.fake.next({ how: "status", status: 401 }),
    }),
  },
];

export const administrationMeanwhile: Refused[] = [...models, ...administration];
