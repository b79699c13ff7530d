// The public agent that the widget's frame shows.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../browser/api-calls.ts";

export type WidgetData = AnswerOf<"GET", "/v1/agents/{id}">;

export async function data({ request, routeParams }: PageContextServer): Promise<WidgetData> {
  return await request.api.get("/v1/agents/{id}", { id: routeParams.id ?? "" });
}
