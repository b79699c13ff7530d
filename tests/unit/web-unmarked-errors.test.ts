// Every message of a refused form is shown: at its field, at the list that its item belongs to, or above the form.
import { beforeAll, expect, test, vi } from "vitest";
import type { FormState } from "../../web/render/action.ts";
import { watchErrors, withUnmarked } from "../../web/render/unmarked-errors.ts";
import { say, sayIn } from "../support/words.ts";

let modules: {
  runAction: typeof import("../../web/request/run-action.ts").runAction;
  ApiFailure: typeof import("../../web/request/api-failure.ts").ApiFailure;
  i18nFor: typeof import("../../web/request/i18n.ts").i18nFor;
};
beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  modules = {
    ...(await import("../../web/request/run-action.ts")),
    ...(await import("../../web/request/api-failure.ts")),
    ...(await import("../../web/request/i18n.ts")),
  };
});

/** The form after the API refused it for these details. */
async function refuseForm(
  details: { path: string; code?: string; params?: Record<string, string> }[],
  posted: Record<string, string | string[]>,
  locale: "en" | "fr" = "en",
): Promise<FormState> {
  const form = new FormData();
  for (const [name, values] of Object.entries(posted))
    for (const value of [values].flat()) form.append(name, value);
  const { t } = modules.i18nFor(locale);
  const failure = new modules.ApiFailure("", 400, "Bad Request", {
    code: "VALIDATION_FAILED",
    details: details.map((detail) => ({ message: "x", ...detail })),
  });
  const context = { request: { supportEmail: "", locale }, form, routeParams: {}, t };
  const outcome = await modules.runAction(
    () => Promise.reject(failure),
    context as unknown as Parameters<typeof modules.runAction>[1], // The parts that a refusal reads.
  );
  if (!("form" in outcome)) throw new Error("It was redirected");
  return outcome.form;
}

test("a refused item is shown at its list, and quoted when there are several", async () => {
  const bad = [{ path: "emails.1", code: "email" }];
  const words = say("errors:refusals.email");
  expect((await refuseForm(bad, { emails: "a@b.co\nno" })).errors).toEqual({ emails: `no: ${words}` });
  expect((await refuseForm(bad, { emails: "a@b.co\r\nno" }, "fr")).errors).toEqual({
    emails: `no\u00a0: ${sayIn("fr")("errors:refusals.email")}`,
  });
  expect((await refuseForm([{ path: "emails.0", code: "email" }], { emails: "no" })).errors).toEqual({
    emails: words,
  });
  // Ticked rows are ids, which nobody has typed.
  const option = say("errors:refusals.option");
  expect((await refuseForm([{ path: "ids.1", code: "option" }], { ids: ["019a", "019b"] })).errors).toEqual({
    ids: option,
  });
  const both = [0, 1].map((at) => ({ path: `emails.${at}`, code: "email" }));
  expect((await refuseForm(both, { emails: "one\ntwo" })).errors.emails).toBe(`one: ${words} two: ${words}`);
});

test("a message that no field shows is shown above the form", async () => {
  const form = await refuseForm(
    [
      { path: "name", code: "required" },
      { path: "config.hidden", code: "option" },
    ],
    { name: "" },
  );
  const { form: shown, read } = watchErrors(form);
  const { t } = modules.i18nFor("en");
  expect(shown.errors.name).toBe(say("errors:refusals.required"));
  expect(withUnmarked(form, read, t)?.failure).toEqual({
    title: say("errors:VALIDATION_FAILED.title"),
    description: say("errors:refusals.option"),
  });
  expect(shown.errors["config.hidden"]).toBe(say("errors:refusals.option"));
  expect(withUnmarked(form, read, t)).toBeUndefined();
});

test("a refusal of the whole call is not repeated, and a conflicting save keeps its own alert", async () => {
  const { t } = modules.i18nFor("en");
  const whole = await refuseForm([{ path: "", code: "missing" }], {});
  expect(whole.failure?.description).toBe(say("errors:refusals.missing"));
  expect(withUnmarked(whole, new Set(), t)).toBeUndefined();
  const changed = await refuseForm([{ path: "version", code: "changedMeanwhile" }], {});
  expect(withUnmarked(changed, new Set(), t)).toBeUndefined();
});

test("a refusal without a field does not mention marked fields", async () => {
  expect((await refuseForm([], {})).failure?.description).toBe(say("errors:VALIDATION_FAILED.unmarked"));
});
