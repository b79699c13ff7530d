// The notification settings of handovers.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";

export type HandoverSettingsData = AnswerOf<"GET", "/v1/teams/{teamId}/handovers/settings">;

export const data = ({ request }: DataContext): Promise<HandoverSettingsData> =>
  request.api.get("/v1/teams/{teamId}/handovers/settings", { teamId: teamRef(request) });
