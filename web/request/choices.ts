// Owns the rows of a team that a form or a filter offers: the first page by name, and those that are needed by id wherever
// they stand in the list.
import { type ChoiceList, type ChoiceRow, readChoices, toOption } from "../client/choice-lists.ts";
import type { Option } from "../ui/Select.tsx";
import { may, teamRef } from "./current-team.ts";
import type { DataRequest } from "./request-scope.ts";

/** The choices of a select. Partial ones must be searched. */
export interface Choices<List extends ChoiceList = ChoiceList> {
  list: List;
  /** The team's id or slug. */
  teamId: string;
  rows: ChoiceRow<List>[];
  options: Option[];
  isPartial: boolean;
}

/** The query parameter that searches the choices where there is no script. */
export const FIND = "find";

const FIRST_PAGE = 100;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
type Ids = (string | null | undefined)[];

/** What a reader needs to see a list. */
const permissions: Record<ChoiceList, string> = {
  agents: "agents.read",
  knowledges: "knowledges.read",
  sources: "sources.read",
  fileSources: "sources.read",
  members: "users.read",
};

/** For readers and pages without the list. */
export const noChoices = <List extends ChoiceList>(list: List): Choices<List> => ({
  list,
  teamId: "",
  rows: [],
  options: [],
  isPartial: false,
});

/**
 * A team's rows as choices.
 * @param needed ids that must be among them, such as those of the chosen row and of what the page shows
 */
export async function teamChoices<List extends ChoiceList>(
  list: List,
  { api, url }: Pick<DataRequest, "api" | "url">,
  needed: Promise<Ids> | Ids = [],
): Promise<Choices<List>> {
  const teamId = teamRef({ url });
  const read = (query: { name?: string; ids?: string }) =>
    readChoices(list, api.get, teamId, { perPage: FIRST_PAGE, ...query });
  const name = url.searchParams.get(FIND) || undefined;
  const [first, ids] = await Promise.all([read({ name }), needed]);
  const isPartial = name !== undefined || first.total > first.data.length;
  const listed = new Set(first.data.map(({ id }) => id));
  const missing = new Set(ids.flatMap((id) => (id && uuid.test(id) && !listed.has(id) ? [id] : [])));
  const others = isPartial && missing.size > 0 ? (await read({ ids: [...missing].join(",") })).data : [];
  const rows = [...first.data, ...others];
  return { list, teamId, rows, options: rows.map(toOption), isPartial };
}

/**
 * The names of rows by id, for a page that shows them without offering others: none for those who may not see them.
 */
export async function choiceNames(
  list: ChoiceList,
  { api, url, viewer }: DataRequest,
  ids: Iterable<string>,
): Promise<[id: string, name: string][]> {
  const wanted = [...new Set(ids)].slice(0, FIRST_PAGE);
  if (wanted.length === 0 || !may(await viewer, permissions[list])) return [];
  const query = { ids: wanted.join(","), perPage: FIRST_PAGE };
  const { data } = await readChoices(list, api.get, teamRef({ url }), query);
  return data.map(({ id, name }) => [id, name]);
}

/** The same on a page that does not require the list's permission: no choices for those who may not see them. */
export async function choicesForViewer<List extends ChoiceList>(
  list: List,
  request: DataRequest,
  needed: Promise<Ids> | Ids = [],
): Promise<Choices<List>> {
  const allowed = request.viewer.then((viewer) =>
    may(viewer, permissions[list]) ? teamChoices(list, request, needed) : noChoices(list),
  );
  const [choices] = await Promise.all([allowed, needed]);
  return choices;
}
