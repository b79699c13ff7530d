// The public agent of the widget's frame; or why there is none, since the site's error page does not belong in a frame.

import type { AnswerOf } from "#web/client/api-calls.ts";
import { WithStatus } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";

/** `failure` is null when no public agent has this id or address. */
export type WidgetData =
  | { agent: AnswerOf<"GET", "/v1/agents/{id}">; allowedOrigins: string[] }
  | { agent: null; failure: ApiFailure | null };

export async function data({
  request,
  routeParams,
}: DataContext): Promise<WidgetData | WithStatus<WidgetData>> {
  try {
    const agent = await request.api.get("/v1/agents/{id}", { id: routeParams.id ?? "" });
    return { agent, allowedOrigins: agent.allowedOrigins };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const isMissing = error.status === 404 || error.status === 400;
    return new WithStatus(isMissing ? 404 : error.status, { agent: null, failure: isMissing ? null : error });
  }
}
