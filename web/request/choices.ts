// Owns the agents that a form or a filter offers: the first page by name, and those that are needed by id wherever they
// stand in the list.
import type { AnswerOf } from "../client/api-calls.ts";
import type { ChoiceList } from "../client/choices.ts";
import type { Option } from "../ui/Select.tsx";
import { may, teamRef } from "./current-team.ts";
import type { DataRequest } from "./request-scope.ts";

/** The choices of a select. Partial ones must be searched. */
export interface Choices {
  list: ChoiceList;
  /** The team's id or slug. */
  teamId: string;
  options: Option[];
  isPartial: boolean;
}

/** The query parameter that searches the choices where there is no script. */
export const FIND = "find";

export interface TeamAgents extends Choices {
  agents: AnswerOf<"GET", "/v1/teams/{teamId}/agents">["data"];
}

const FIRST_PAGE = 100;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
type Ids = (string | null | undefined)[];

/** For readers and pages without agents. */
export const noAgents: TeamAgents = { list: "agents", teamId: "", agents: [], options: [], isPartial: false };

/**
 * A team's agents as choices.
 * @param needed ids that must be among them, such as those of the chosen agent and of the shown rows' agents
 */
export async function teamAgents(
  { api, url }: Pick<DataRequest, "api" | "url">,
  needed: Promise<Ids> | Ids = [],
): Promise<TeamAgents> {
  const teamId = teamRef({ url });
  const list = (input: { name?: string; ids?: string }) =>
    api.get("/v1/teams/{teamId}/agents", { teamId, perPage: FIRST_PAGE, ...input });
  const name = url.searchParams.get(FIND) || undefined;
  const [first, ids] = await Promise.all([list({ name }), needed]);
  const isPartial = name !== undefined || first.total > first.data.length;
  const listed = new Set(first.data.map(({ id }) => id));
  const missing = new Set(ids.flatMap((id) => (id && uuid.test(id) && !listed.has(id) ? [id] : [])));
  const others = isPartial && missing.size > 0 ? (await list({ ids: [...missing].join(",") })).data : [];
  const agents = [...first.data, ...others];
  const options = agents.map(({ id, name }) => ({ value: id, label: name }));
  return { list: "agents", teamId, agents, options, isPartial };
}

/** The same for readers of a page that does not require it: empty for those who may not see the team's agents. */
export async function agentsForViewer(request: DataRequest, needed: Promise<Ids> | Ids): Promise<TeamAgents> {
  const allowed = request.viewer.then((viewer) =>
    may(viewer, "agents.read") ? teamAgents(request, needed) : noAgents,
  );
  const [agents] = await Promise.all([allowed, needed]);
  return agents;
}
