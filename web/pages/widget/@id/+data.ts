// The public agent of the widget's frame.

import type { AnswerOf } from "#web/browser/api-calls.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";

export type WidgetData = AnswerOf<"GET", "/v1/agents/{id}">;

export async function data({ request, routeParams }: DataContext): Promise<WidgetData> {
  return await request.api.get("/v1/agents/{id}", { id: routeParams.id ?? "" });
}
