// The rows that forms and filters offer: those that are needed are among them, and nobody is refused a page for others.
import { expect, test, vi } from "vitest";
import { choiceNames, choicesForViewer, teamChoices } from "../../web/request/choices.ts";
import type { DataRequest } from "../../web/request/request-scope.ts";

const far = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";
const first = Array.from({ length: 100 }, (_, at) => ({
  id: `0193a5e0-7b1a-7cc0-8f3e-${String(at).padStart(12, "0")}`,
  name: `Base ${at}`,
}));

function requestWith(permissions: string[]) {
  const get = vi.fn(async (_path: string, { ids }: { ids?: string }) =>
    ids === undefined ? { data: first, total: 150 } : { data: [{ id: ids, name: "Base 149" }], total: 1 },
  );
  const url = new URL("https://parley.example/teams/demo/agents");
  const request = { api: { get }, url, viewer: Promise.resolve({ team: { permissions } }) };
  return { request: request as unknown as DataRequest, get }; // The parts that are read here.
}

test("rows beyond the first page are read by id, and only when they are missing", async () => {
  const { request, get } = requestWith([]);
  const choices = await teamChoices("knowledges", request, [far, first[3]?.id, "no id", null]);
  expect(choices).toMatchObject({ teamId: "demo", isPartial: true });
  expect(choices.options.at(-1)).toEqual({ value: far, label: "Base 149" });
  expect(get.mock.calls.map(([, { ids }]) => ids)).toEqual([undefined, far]);
  get.mockClear();
  await teamChoices("knowledges", request, [first[3]?.id]);
  expect(get).toHaveBeenCalledTimes(1);
});

test("a list is not asked for by those who may not see it", async () => {
  const { request, get } = requestWith(["agents.read"]);
  expect(await choicesForViewer("knowledges", request, [far])).toMatchObject({
    options: [],
    isPartial: false,
  });
  expect(await choiceNames("knowledges", request, [far])).toEqual([]);
  expect(get).not.toHaveBeenCalled();
  const allowed = requestWith(["knowledges.read"]);
  expect((await choicesForViewer("knowledges", allowed.request)).options).toHaveLength(100);
  expect(await choiceNames("knowledges", allowed.request, [far, far])).toEqual([[far, "Base 149"]]);
});
