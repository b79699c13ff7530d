// The pending install of the user who returns from Slack; without one, the app's page says why.

import type { AnswerOf } from "#web/client/api-calls.ts";
import { Redirection } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { teamPath } from "#web/request/current-team.ts";
import type { InstallResult } from "../index/+data.ts";
import { verifierOf } from "../slack-install.ts";

export interface ConfirmInstallData {
  install: AnswerOf<"POST", "/v1/integration/slack/installs">;
  ticket: string;
}

export async function data({ request, routeParams }: DataContext): Promise<ConfirmInstallData | Redirection> {
  const ticket = request.url.searchParams.get("ticket") ?? "";
  const proof = { ticket, verifier: verifierOf(request.cookies) };
  try {
    return { install: await request.api.send("POST", "/v1/integration/slack/installs", {}, proof), ticket };
  } catch (error) {
    const result = resultOf(error);
    if (!result) throw error;
    return new Redirection(teamPath(request, `apps/${routeParams.id ?? ""}?slack=${result}`));
  }
}

/** The result that the app's page shows for a refusal; undefined for one that does not concern an install. */
export function resultOf(error: unknown): InstallResult | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const results: Partial<Record<string, InstallResult>> = {
    NOT_FOUND: "expired",
    VALIDATION_FAILED: "expired",
    FORBIDDEN: "forbidden",
    CONFLICT: "organisation",
    UPSTREAM_FAILED: "failed",
  };
  return results[error.code];
}
