// Saves an agent's settings or deletes it, by the hidden field `form`.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formLines, formNumber, formText, formTexts, formVersion } from "#web/request/form-text.ts";
import { remove } from "#web/request/remove.ts";
import { ANOTHER_KNOWLEDGE, KNOWLEDGES_SHOWN } from "./+data.ts";

const modes = ["hybrid", "vector", "text"] as const;
const unsupported = ["mark", "omit", "ignore"] as const;

export const action: Action = async (context) => {
  const { request, form, routeParams, t } = context;
  const agent = { teamId: currentTeam(request).id, id: routeParams.id ?? "" };
  if (formText(form, "form") === "delete") {
    const toast = await remove(
      context,
      { path: "/v1/teams/{teamId}/agents/{id}", input: agent },
      { title: t("agents:delete.done"), restored: t("agents:delete.restored"), href: request.url.pathname },
    );
    return { redirect: teamPath(request, "agents"), toast };
  }
  if (formText(form, "form") === "embed") {
    const allowedOrigins = formText(form, "allowedOrigins").split(/\s+/).filter(Boolean);
    await request.api.send(
      "PUT",
      "/v1/teams/{teamId}/agents/{id}",
      agent,
      { allowedOrigins },
      formVersion(form),
    );
    return { redirect: request.url.pathname, toast: { title: t("app:toast.saved") } };
  }
  const name = formText(form, "name");
  if (!name) return { errors: { name: t("agents:nameMissing") } };
  const values = {
    name,
    description: formText(form, "description"),
    instructions: formText(form, "instructions"),
    greeting: formText(form, "greeting"),
    suggestedPrompts: formLines(form, "suggestedPrompts"),
    visibility: formText(form, "visibility"),
    model: formText(form, "model"),
    temperature: formNumber(form, "temperature"),
    retrieval: {
      topK: formNumber(form, "retrieval.topK"),
      minScore: formNumber(form, "retrieval.minScore"),
      mode: modes.find((mode) => mode === formText(form, "retrieval.mode")) ?? "hybrid",
    },
    unsupportedClaims: unsupported.find((one) => one === formText(form, "unsupportedClaims")) ?? "mark",
    // A reader who may not see knowledge bases has a form without them, and the agent keeps its own.
    knowledgeIds: form.has(KNOWLEDGES_SHOWN)
      ? [...new Set([...formTexts(form, "knowledgeIds"), formText(form, ANOTHER_KNOWLEDGE)].filter(Boolean))]
      : undefined,
  };
  if (formText(form, "as") === "draft") {
    await request.api.send("POST", "/v1/teams/{teamId}/agents/{id}/versions", agent, values);
    const redirect = teamPath(request, `agents/${agent.id}/versions`);
    return { redirect, toast: { title: t("agentTests:versions.draftSaved") } };
  }
  await request.api.send("PUT", "/v1/teams/{teamId}/agents/{id}", agent, values, formVersion(form));
  // Whoever came to share it gets its link next.
  const isShared = request.url.searchParams.has("share") && values.visibility === "public";
  const redirect = request.url.pathname + (isShared ? "?share#share" : "");
  return { redirect, toast: { title: t("app:toast.saved") } };
};
