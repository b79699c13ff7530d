// A team's budget nears its end: everybody who may change it is told, whatever the mail server says to one of them.
import { beforeEach, expect, test, vi } from "vitest";
import { settleCosts } from "../../edge-functions/_shared/models/model-costs.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset, statements } from "../support/scripted-database.ts";

const { sendMail } = vi.hoisted(() => ({ sendMail: vi.fn() }));
vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));
vi.mock("../../edge-functions/_shared/mail/mail.ts", () => ({ sendMail }));
beforeEach(() => {
  reset();
  sendMail.mockReset();
  stubSettings();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const emails = ["gone@acme.test", "ada@acme.test"];
const owners = emails.map((email) => ({
  locale: "en",
  teamName: "Acme",
  codename: "acme",
  spent: 8,
  cap: 10,
  email,
}));
const refused = Object.assign(new Error("550 No such user"), { responseCode: 550 });
const down = new Error("connect ECONNREFUSED");

/** A call that makes a warning due. */
async function call() {
  const spent = { kind: "chat" as const, model: "m", prices: { prompt: 1, completion: 1 } };
  const tokens = { isEstimated: false, isInstallations: false, prompt: 1, completion: 1 };
  await settleCosts({ teamId: "t", agentId: "a", channel: "web" }, [
    { reservation: null, spent: { ...spent, ...tokens } },
  ]);
}
const isForgotten = () => statements.some(({ text }) => text.includes("set warned_month = null"));

test("a refused address keeps no other owner from the warning", async () => {
  answer([{ warn: true }], [{ wait: 0 }], owners);
  sendMail.mockRejectedValueOnce(refused);
  await call();
  await vi.waitFor(() => expect(sendMail.mock.calls.map(([mail]) => mail.to)).toEqual(emails));
  expect(isForgotten()).toBe(false);
});

test("a mail server that is down is asked again, by a later call", async () => {
  answer([{ warn: true }], [{ wait: 0 }], owners);
  sendMail.mockRejectedValueOnce(refused).mockRejectedValueOnce(down);
  await call();
  await vi.waitFor(() => expect(sendMail).toHaveBeenCalledTimes(2));
  expect(isForgotten()).toBe(false);

  reset();
  answer([{ warn: true }], [{ wait: 0 }], owners);
  sendMail.mockRejectedValueOnce(down).mockRejectedValueOnce(down);
  await call();
  await vi.waitFor(() => expect(isForgotten()).toBe(true));

  // The next calls neither wait for the mail server nor lose the warning.
  reset();
  sendMail.mockClear();
  answer([{ warn: true }], [{ wait: 500 }]);
  await call();
  await vi.waitFor(() => expect(isForgotten()).toBe(true));
  expect(sendMail).not.toHaveBeenCalled();
});
