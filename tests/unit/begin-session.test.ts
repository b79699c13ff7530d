// What becomes of a session that the auth server has opened when the database fails before anybody gets it.
import { UnsecuredJWT } from "jose";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset } from "../support/scripted-database.ts";

const accessToken = new UnsecuredJWT({ session_id: "s", sub: "u" }).encode();
const opened = { user: { id: "u", email: "ada@example.com" }, accessToken, refreshToken: "r", expiresIn: 1 };
const signOut = vi.fn(async () => {});

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));
vi.mock("../../edge-functions/_shared/requests/auth-server.ts", async (original) => ({
  ...(await original<object>()),
  signIn: async () => opened,
  redeemCode: async () => opened,
  signOut: (...given: Parameters<typeof signOut>) => signOut(...given),
}));
vi.mock("../../edge-functions/v1/auth/guesses.ts", () => ({
  admitGuess: async () => [],
  recordSuccess: async () => {},
}));
vi.mock("../../edge-functions/_shared/requests/limits.ts", async (original) => ({
  ...(await original<object>()),
  take: async () => {},
}));

let sessions: typeof import("../../edge-functions/v1/auth/sessions.ts");
beforeAll(async () => {
  stubSettings();
  sessions = await import("../../edge-functions/v1/auth/sessions.ts");
});
beforeEach(() => {
  reset();
  signOut.mockClear();
});

const arrival = { addresses: [], arrivedAt: performance.now(), userAgent: "test" };
const logIn = () => sessions.logIn("ada@example.com", "a-long-enough-1", arrival);
const confirm = () => sessions.confirm("ada@example.com", "123456", arrival, true);
const failure = Object.assign(new Error("the connection is gone"), { code: "57P01" });
const account = [{ id: "u", name: "Ada" }];
const confirmed = [{ email: "ada@example.com" }];
/** What a confirmation reads first: whether the address is contested, whose the code is, and the proof of it. */
const uncontested = [[], [], []];

test.each([
  ["login's account", logIn, [failure]],
  ["login's email", logIn, [account, failure]],
  ["login's record", logIn, [account, confirmed, failure]],
  ["confirmation's account", confirm, [...uncontested, failure]],
  ["confirmation's record", confirm, [...uncontested, account, confirmed, failure]],
])("a database that fails at a %s leaves no session behind", async (_name, call, answers) => {
  answer(...answers);
  await expect(call()).rejects.toBe(failure);
  expect(signOut.mock.calls).toEqual([[accessToken, "local"]]);
});

test("a session that somebody gets goes on", async () => {
  answer(account, confirmed);
  expect(await logIn()).toMatchObject({ accessToken, user: { id: "u" } });
  answer(...uncontested, account, confirmed);
  expect(await confirm()).toMatchObject({ accessToken, verified: true });
  expect(signOut).not.toHaveBeenCalled();
});
