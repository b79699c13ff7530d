// Tries what was entered at the service itself, then keeps it. A refusal comes back at the field to blame.
import type { Action } from "../../../../../renderer/action.ts";
import { currentTeam, teamPath } from "../../../../../server/current-team.ts";
import { formText } from "../../../../../server/form-text.ts";
import { credentialsIn, settingsIn } from "../../../../../server/source-form.ts";
import { connectable } from "./+data.ts";

export const action: Action = async ({ request, form, t }) => {
  const type = connectable.find((one) => one === request.url.searchParams.get("type"));
  if (!type) return { redirect: teamPath(request, "sources/create") };
  const team = { teamId: currentTeam(request).id };
  const settings = { type, config: settingsIn(type, form), ...credentialsIn(type, form) };
  await request.api.send("POST", "/v1/teams/{teamId}/sources/test", team, settings);
  const name = formText(form, "name") || t(`sources:type.${type}`);
  const schedule = formText(form, "schedule");
  const { id } = await request.api.send("POST", "/v1/teams/{teamId}/sources", team, {
    ...settings,
    name,
    schedule,
  });
  return { redirect: teamPath(request, `sources/${id}?check=1`), toast: { title: t("sources:create.done") } };
};
