// Tries what was entered at the service itself; then tells what would be read, or keeps it. A refusal comes back at the field to
// blame. Files are asked for nowhere: they are here.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText, formTexts } from "../../../../../server/form-text.ts";
import { asksForTest, credentialsIn, settingsIn } from "../../../../../server/source-form.ts";
import { connectable } from "./+data.ts";

export const action: Action = async ({ request, form, t }) => {
  const type = connectable.find((one) => one === request.url.searchParams.get("type"));
  if (!type) return { redirect: teamPath(request, "sources/create") };
  const { send } = request.api;
  const team = { teamId: currentTeam(request).id };
  const name = formText(form, "name") || t(`sources:type.${type}`);
  if (type === "file") {
    const fileIds = formTexts(form, "config.fileIds");
    if (fileIds.length === 0) return { errors: { "config.fileIds": t("sources:create.noFiles") } };
    const { id } = await send("POST", "/v1/teams/{teamId}/sources", team, {
      type,
      name,
      config: { fileIds },
    });
    return { redirect: teamPath(request, `sources/${id}`), toast: { title: t("sources:create.done") } };
  }
  const settings = { type, config: settingsIn(type, form), ...credentialsIn(type, form) };
  const { data: lines } = await send("POST", "/v1/teams/{teamId}/sources/test", team, settings);
  if (asksForTest(form)) return { result: { lines } };
  const schedule = formText(form, "schedule");
  const { id } = await send("POST", "/v1/teams/{teamId}/sources", team, { ...settings, name, schedule });
  return { redirect: teamPath(request, `sources/${id}`), toast: { title: t("sources:create.done") } };
};
