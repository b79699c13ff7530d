// A team's budget nears its end: everybody who may change it is told, whatever the mail server says to one of them.
import { beforeEach, expect, test, vi } from "vitest";
import { settleCosts } from "../../edge-functions/_shared/models/model-costs.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset } from "../support/scripted-database.ts";

const { sendMail } = vi.hoisted(() => ({ sendMail: vi.fn() }));
vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));
vi.mock("../../edge-functions/_shared/mail/mail.ts", () => ({ sendMail }));
beforeEach(() => {
  reset();
  stubSettings();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

test("a refused address keeps no other owner from the warning", async () => {
  const owner = { locale: "en", teamName: "Acme", codename: "acme", spent: 8, cap: 10 };
  const emails = ["gone@acme.test", "ada@acme.test"];
  answer(
    [{ warn: true }],
    emails.map((email) => ({ ...owner, email })),
  );
  sendMail.mockRejectedValueOnce(new Error("550 No such user"));
  const spent = { kind: "chat" as const, model: "m", prices: { prompt: 1, completion: 1 } };
  const tokens = { isEstimated: false, isInstallations: false, prompt: 1, completion: 1 };
  await settleCosts({ teamId: "t", agentId: "a", channel: "web" }, [
    { reservation: null, spent: { ...spent, ...tokens } },
  ]);
  await vi.waitFor(() => expect(sendMail.mock.calls.map(([mail]) => mail.to)).toEqual(emails));
});
