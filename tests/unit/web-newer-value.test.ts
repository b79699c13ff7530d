// The note under a field that somebody else saved while its form was open.
import { beforeAll, expect, test, vi } from "vitest";
import type { FormState } from "../../web/render/action.ts";
import { say } from "../support/words.ts";

let said: (
  form: Partial<FormState> | undefined,
  typed: string | undefined,
  saved: string,
) => string | undefined;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { i18nFor } = await import("../../web/request/i18n.ts");
  const { newerValue } = await import("../../web/ui/newer-value.ts");
  said = (form, typed, saved) =>
    newerValue(i18nFor("en").t, form && { values: {}, errors: {}, name: "", ...form }, { typed, saved });
});

test("the note is shown when the typed text differs from the saved one, in a form that was told of it", () => {
  expect(said({ changed: true }, "Mine", "Theirs")).toBe(say("errors:changed.value", { value: "Theirs" }));
  expect(said({ changed: true }, "Mine", "")).toBe(say("errors:changed.empty"));
  expect(said({ changed: true }, "Mine", "<b>$t(save)</b>")).toBe(
    say("errors:changed.value", { value: "<b>$t(save)</b>" }),
  );
});

test("the note is not shown for the same text, an untouched page, or another refusal", () => {
  expect(said({ changed: true }, "One\r\nTwo ", "One\nTwo")).toBeUndefined();
  expect(said({ changed: true }, undefined, "Theirs")).toBeUndefined();
  expect(said({}, "Mine", "Theirs")).toBeUndefined();
  expect(said(undefined, "Mine", "Theirs")).toBeUndefined();
});
