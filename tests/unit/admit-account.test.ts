// Which failures end the sessions of an account that logs in or renews: only a refusal of the account.
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let admitAccount: typeof import("../../edge-functions/v1/auth/accounts.ts").admitAccount;
let toApiError: typeof import("../../edge-functions/v1/problems.ts").toApiError;
beforeAll(async () => {
  stubSettings();
  ({ admitAccount } = await import("../../edge-functions/v1/auth/accounts.ts"));
  ({ toApiError } = await import("../../edge-functions/v1/problems.ts"));
});
beforeEach(reset);

const account = { id: "u", name: "Ada" };
const wasEnded = () => statements.some(({ text }) => text.includes("end_sessions_of"));
const fail = (code: string) => Object.assign(new Error("the connection is gone"), { code });
const refusal = async () => toApiError((await admitAccount("u").catch((error: Error) => error)) as Error);

test.each(["57P01", "08006", "CONNECTION_CLOSED", "53300", "57014"])(
  "a database that fails with %s ends no session",
  async (code) => {
    answer(fail(code));
    expect(await refusal()).toMatchObject({ code: "UNAVAILABLE", status: 503 });
    answer([account], fail(code));
    expect(await refusal()).toMatchObject({ code: "UNAVAILABLE", status: 503 });
    expect(wasEnded()).toBe(false);
  },
);

test.each([
  ["USER_BANNED", [[], [{}]]],
  ["NOT_AUTHENTICATED", [[], []]],
  ["USER_NOT_VERIFIED", [[account], [{ email: null }]]],
])("%s ends every session", async (code, rows) => {
  answer(...rows);
  expect(await refusal()).toMatchObject({ code });
  expect(wasEnded()).toBe(true);
});

test("an account that may log in keeps its sessions", async () => {
  answer([account], [{ email: "ada@example.com" }]);
  expect(await admitAccount("u")).toEqual(account);
  expect(wasEnded()).toBe(false);
});
