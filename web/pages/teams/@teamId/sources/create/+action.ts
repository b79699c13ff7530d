// Tests the entered settings at the service itself; then reports what would be synced, or saves the source. A refusal
// is shown at the field that caused it. File sources need no test: the files are here.
import type { Action } from "#web/render/action.ts";
import { currentTeam, teamPath } from "#web/request/current-team.ts";
import { formText, formTexts } from "#web/request/form-text.ts";
import { credentialsIn, isConnectionTest, settingsIn } from "../source-form.ts";
import { hasFileList, isSynced, sourceTypes } from "../source-types.ts";

export const action: Action = async ({ request, form, t }) => {
  const wanted = request.url.searchParams.get("type");
  const declared = (await sourceTypes(request.api)).find((one) => one.type === wanted);
  if (!declared) return { redirect: teamPath(request, "sources/create") };
  const { send } = request.api;
  const { type } = declared;
  const team = { teamId: currentTeam(request).id };
  const name = formText(form, "name") || t(`source-${type}:name`);
  if (hasFileList(declared)) {
    const fileIds = formTexts(form, "config.fileIds");
    if (fileIds.length === 0) return { errors: { "config.fileIds": t("sources:create.noFiles") } };
    const { id } = await send("POST", "/v1/teams/{teamId}/sources", team, {
      type,
      name,
      config: { fileIds },
    });
    return { redirect: teamPath(request, `sources/${id}`), toast: { title: t("sources:create.done") } };
  }
  if (!isSynced(declared)) {
    const { id } = await send("POST", "/v1/teams/{teamId}/sources", team, { type, name });
    return { redirect: teamPath(request, `sources/${id}`), toast: { title: t("sources:create.done") } };
  }
  const settings = { type, config: settingsIn(declared, form), ...credentialsIn(declared, form) };
  const { data: lines } = await send("POST", "/v1/teams/{teamId}/sources/test", team, settings);
  if (isConnectionTest(form)) return { result: { lines } };
  const schedule = formText(form, "schedule");
  const { id } = await send("POST", "/v1/teams/{teamId}/sources", team, { ...settings, name, schedule });
  return { redirect: teamPath(request, `sources/${id}`), toast: { title: t("sources:create.done") } };
};
