// The lists whose rows a form or a filter offers, and how the API is asked for them. Shared by the server, which renders
// the first rows, and the browser, which searches the others.
import type { Get } from "./api-calls.ts";

interface ChoiceQuery {
  /** Part of the name. */
  name?: string;
  /** Separated by commas. */
  ids?: string;
  perPage: number;
}

const readers = {
  agents: (get: Get, teamId: string, query: ChoiceQuery) =>
    get("/v1/teams/{teamId}/agents", { teamId, ...query }),
  knowledges: (get: Get, teamId: string, query: ChoiceQuery) =>
    get("/v1/teams/{teamId}/knowledges", { teamId, ...query }),
  sources: (get: Get, teamId: string, query: ChoiceQuery) =>
    get("/v1/teams/{teamId}/sources", { teamId, ...query, sort: "name" }),
  /** The sources that consist of files. */
  fileSources: (get: Get, teamId: string, query: ChoiceQuery) =>
    get("/v1/teams/{teamId}/sources", { teamId, ...query, type: "file", sort: "name" }),
  /** The people of the team, by their users' ids. Invitations are left out. */
  members: async (get: Get, id: string, { name, ids, perPage }: ChoiceQuery) => {
    const query = { search: name, userIds: ids, perPage, sort: "name" };
    const { data, total } = await get("/v1/teamUsers/{id}/users", { id, ...query });
    const people = data.flatMap(({ userId, name, email, status }) =>
      userId && status === "accepted" ? [{ id: userId, name: name ?? email }] : [],
    );
    return { data: people, total: total - (data.length - people.length) };
  },
};

/** A team's list that is searched by name. */
export type ChoiceList = keyof typeof readers;
export type ChoiceRow<List extends ChoiceList> = Awaited<ReturnType<(typeof readers)[List]>>["data"][number];

/** Throws what `get` throws. @param teamId the team's id or slug */
export async function readChoices<List extends ChoiceList>(
  list: List,
  get: Get,
  teamId: string,
  query: ChoiceQuery,
): Promise<{ data: ChoiceRow<List>[]; total: number }> {
  return await (readers[list] as (typeof readers)[ChoiceList])(get, teamId, query);
}

export const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
