// The actions of a source: sync, stop, retry a document, change it, add it to a knowledge base or remove it, delete it.
import { documentLanguageOf } from "#locales/registry.ts";
import type { Action, ActionContext } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { findChosen } from "#web/request/find-chosen.ts";
import { formText, formVersion } from "#web/request/form-text.ts";
import { remove } from "#web/request/remove.ts";
import { changeSources, withoutSource, withSource } from "../../knowledges/change-sources.ts";
import { expiryIn } from "../expiry-form.ts";
import { credentialsIn, isConnectionTest, settingsIn } from "../source-form.ts";
import { isSynced, sourceType } from "../source-types.ts";

export const action: Action = async (context) => {
  const { request, form, routeParams, t } = context;
  const { get, send } = request.api;
  const teamId = currentTeam(request).id;
  const one = { teamId, id: routeParams.id ?? "" };
  const back = (title: string) => ({
    redirect: request.url.pathname,
    toast: { title: t(`sources:toast.${title}`) },
  });
  const entry = /^entry(?:-|$)/.test(formText(form, "form"));
  if (entry) return await saveEntry({ request, form, t }, one);
  switch (formText(form, "form")) {
    case "sync": {
      const { type } = await get("/v1/teams/{teamId}/sources/{id}", one);
      if (isSynced(await sourceType(request.api, type)))
        await send("POST", "/v1/teams/{teamId}/sources/{id}/sync", one);
      else await send("POST", "/v1/teams/{teamId}/sources/{id}/index", one);
      return back("queued");
    }
    case "acceptEmpty":
      await send("POST", "/v1/teams/{teamId}/sources/{id}/sync", { ...one, acceptEmpty: "true" });
      return back("queued");
    case "stop":
      await send("DELETE", "/v1/teams/{teamId}/sources/{id}/index", one);
      return back("stopping");
    case "document":
      await send("POST", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index", {
        teamId,
        sourceId: one.id,
        id: formText(form, "document"),
      });
      return back("queued");
    case "knowledge": {
      const id = formText(form, "knowledge");
      const knowledge = await findChosen(get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id }));
      if (!knowledge) return { errors: { knowledge: t("errors:refusals.missing") } };
      await changeSources(request.api, { teamId, id }, withSource(one.id));
      return back("linked");
    }
    case "unlink": {
      const id = formText(form, "knowledge");
      await changeSources(request.api, { teamId, id }, withoutSource(one.id));
      return back("unlinked");
    }
    case "newKnowledge": {
      const { id } = await send(
        "POST",
        "/v1/teams/{teamId}/knowledges",
        { teamId },
        {
          language: documentLanguageOf(request.locale),
          sourceIds: [one.id],
        },
      );
      return { redirect: teamPath(request, `knowledges/${id}`) };
    }
    case "rename": {
      const name = formText(form, "name");
      if (!name) return { errors: { name: t("app:rename.missing") } };
      await send("PUT", "/v1/teams/{teamId}/sources/{id}", one, { name }, formVersion(form));
      return { redirect: request.url.pathname, toast: { title: t("app:rename.done") } };
    }
    case "deleteEntry": {
      const href = request.url.pathname;
      const input = { ...one, entryId: formText(form, "entryId") };
      const toast = await remove(
        context,
        { path: "/v1/teams/{teamId}/sources/{id}/entries/{entryId}", input },
        { title: t("entries:deleted"), restored: t("entries:restored"), href },
      );
      return { redirect: href, toast };
    }
    case "delete": {
      const toast = await remove(
        context,
        { path: "/v1/teams/{teamId}/sources/{id}", input: one },
        {
          title: t("sources:delete.done"),
          restored: t("sources:delete.restored"),
          href: request.url.pathname,
        },
      );
      return { redirect: teamPath(request, "sources"), toast };
    }
    default: {
      const source = await get("/v1/teams/{teamId}/sources/{id}", one);
      const type = await sourceType(request.api, source.type);
      const settings = { config: settingsIn(type, form), ...credentialsIn(type, form) };
      const tried = { id: one.id, ...settings };
      const { data: lines } = await send("POST", "/v1/teams/{teamId}/sources/test", { teamId }, tried);
      if (isConnectionTest(form)) return { result: { lines } };
      const schedule = formText(form, "schedule");
      await send("PUT", "/v1/teams/{teamId}/sources/{id}", one, { schedule, ...settings }, formVersion(form));
      return back("saved");
    }
  }
};

type Entry = { question: string; answer: string; expiresAt?: string | null; ownerId?: string | null };

/** Saves a written answer; creates one when the form names none. */
async function saveEntry(
  { request, form, t }: Pick<ActionContext, "request" | "form" | "t">,
  source: { teamId: string; id: string },
) {
  const { send } = request.api;
  const path = "/v1/teams/{teamId}/sources/{id}/entries";
  const entryId = formText(form, "entryId");
  const values: Entry = {
    question: formText(form, "question"),
    answer: formText(form, "answer"),
    ...expiryIn(form),
    ...(form.has("ownerId") ? { ownerId: formText(form, "ownerId") || null } : {}),
  };
  if (entryId) await send("PUT", `${path}/{entryId}`, { ...source, entryId }, values, formVersion(form));
  else await send("POST", path, source, values);
  const title = t(entryId ? "entries:saved" : "entries:added");
  return { redirect: request.url.pathname, toast: { title } };
}
