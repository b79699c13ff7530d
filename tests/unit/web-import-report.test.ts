// The settings of an imported team: an import that ends while the page reads it is shown with its report.
import { expect, test, vi } from "vitest";
import { data } from "../../web/pages/teams/@teamId/settings/+data.ts";
import type { DataContext } from "../../web/render/page-definition.ts";

const report = { brought: {}, toDo: {} };

/** @param answers what each call of a path gives, in order; the last one again and again */
function openSettings(answers: Record<string, unknown[]>) {
  const get = vi.fn(async (path: string) => {
    const left = answers[path] ?? [];
    return left.length > 1 ? left.shift() : left[0];
  });
  const request = { api: { get }, timeZone: "UTC", url: new URL("http://a/teams/exported/settings") };
  return { get, settings: data({ request } as unknown as DataContext) }; // what the page reads of it
}

const importing = { teamId: "t", taskId: "k", report: null };
const calls = (status: string, ...imports: unknown[]) => ({
  "/v1/teams/{id}": [{ name: "Exported", codename: "exported", version: "1" }],
  "/v1/teams/{id}/import": imports,
  "/v1/teams/{teamId}/tasks": [{ data: [{ id: "k", status }] }],
});

test("a running import is shown as its task", async () => {
  const { imported, task } = await openSettings(calls("running", importing)).settings;
  expect({ report: imported?.report, status: task?.status }).toEqual({ report: null, status: "running" });
});

test("an import that ends between the two calls is read again", async () => {
  const { settings } = openSettings(calls("done", importing, { ...importing, report }));
  expect((await settings).imported?.report).toEqual(report);
});

test("a failed import is shown with its task", async () => {
  const { imported, task } = await openSettings(calls("failed", importing)).settings;
  expect({ report: imported?.report, status: task?.status }).toEqual({ report: null, status: "failed" });
});

test("a finished import needs no third call", async () => {
  const { get, settings } = openSettings(calls("done", { ...importing, report }));
  expect((await settings).task).toBeNull();
  expect(get.mock.calls.map(([path]) => path).sort()).toEqual([
    "/v1/teams/{id}",
    "/v1/teams/{id}/import",
    "/v1/teams/{teamId}/storage",
  ]);
});
