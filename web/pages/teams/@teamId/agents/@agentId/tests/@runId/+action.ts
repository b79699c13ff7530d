// Publishes the tested version, stops its run, runs the tests again, or overrides the judge's verdict.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";

const path = "/v1/teams/{teamId}/agents/{id}";

export const action: Action = async ({ request, form, routeParams, t }) => {
  const place = { teamId: currentTeam(request).id, id: routeParams.agentId ?? "" };
  const versionId = formText(form, "versionId");
  const home = teamPath(request, `agents/${place.id}`);
  const name = formText(form, "form");
  if (name === "again") {
    const { runId } = await request.api.send("POST", `${path}/tests/runs`, place, { versionId });
    return { redirect: `${home}/tests/${runId}`, toast: { title: t("agentTests:run.begun") } };
  }
  if (name === "stop") {
    const run = { ...place, runId: routeParams.runId ?? "" };
    await request.api.send("POST", `${path}/tests/runs/{runId}/stop`, run);
    return { redirect: request.url.pathname, toast: { title: t("agentTests:run.stopping") } };
  }
  if (name === "overrule") {
    const overruled =
      (["passed", "failed"] as const).find((one) => one === formText(form, "overruled")) ?? null;
    const result = { ...place, runId: routeParams.runId ?? "", resultId: formText(form, "resultId") };
    await request.api.send("PUT", `${path}/tests/runs/{runId}/results/{resultId}`, result, { overruled });
    return { redirect: request.url.pathname };
  }
  const liveVersionId = formText(form, "liveVersionId") || undefined;
  const published = await request.api.send("POST", `${path}/publish`, place, {
    versionId,
    liveVersionId,
    anyway: name === "anyway",
  });
  // The tests have changed since they ran, so they run again first.
  if ("runId" in published)
    return { redirect: `${home}/tests/${published.runId}`, toast: { title: t("agentTests:run.begun") } };
  const { number } = published;
  return { redirect: `${home}/versions`, toast: { title: t("agentTests:run.published", { number }) } };
};
