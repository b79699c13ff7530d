// Connects the workspace that the user was shown, in the browser that started the install.
import type { Action } from "#web/render/action.ts";
import { teamPath } from "#web/request/current-team.ts";
import { formText } from "#web/request/form-text.ts";
import { forgetVerifier, verifierOf } from "../slack-install.ts";
import { resultOf } from "./+data.ts";

export const action: Action = async ({ request, form, routeParams }) => {
  const proof = { ticket: formText(form, "ticket"), verifier: verifierOf(request.cookies) };
  const page = (id: string, result: string) => ({
    redirect: teamPath(request, `apps/${id}?slack=${result}`),
  });
  try {
    const app = await request.api.send("POST", "/v1/integration/slack/installs/confirm", {}, proof);
    forgetVerifier(request.cookies);
    return page(app.id, "connected");
  } catch (error) {
    const result = resultOf(error);
    if (!result) throw error;
    return page(routeParams.id ?? "", result);
  }
};
