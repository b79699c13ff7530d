// Adds an address to the beta list. Answers the same whether or not it is already there.
import type { Action } from "../../render/action.ts";
import { formText } from "../../request/form-text.ts";

export const action: Action = async ({ request, form, t }) => {
  const email = formText(form, "email");
  const name = formText(form, "name");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { errors: { email: t("errors:refusals.email") } };
  await request.api.send("POST", "/v1/beta", {}, { email, ...(name && { name }) });
  return { redirect: "/beta", toast: { title: t("beta:done"), description: t("beta:doneText") } };
};
