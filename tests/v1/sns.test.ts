// Reports of mail delivery: the hooks run in this process on the running stack's database, because the real SNS cannot sign on request; a
// fake signs as it does. The running API's answer to strangers is tested there.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  anyone,
  mailsTo,
  mailTo,
  newAdmin,
  newTeam,
  owner,
  type Person,
  uniqueEmail,
} from "../support/api.ts";
import { type Changes, startSnsFake } from "../support/fakes/sns.ts";
import { adoptStackSettings } from "../support/handlers-stand.ts";
import { systemRoleIds } from "../support/permissions.ts";

const sns = startSnsFake();
const second = "arn:aws:sns:eu-west-3:123456789012:second";
let post: (path: string, body: string, type?: string) => Promise<Response>;
let close: () => Promise<void>;
let admin: Person;
beforeAll(async () => {
  close = await adoptStackSettings({ SNS_TOPIC_ARNS: `${sns.topic}, ${second}` });
  const { snsHooks } = await import("../../edge-functions/v1/sns/routes.ts");
  const { renderError } = await import("../../edge-functions/v1/problems.ts");
  const hooks = snsHooks(sns.read);
  hooks.onError(renderError);
  post = async (path, body, type = "text/plain; charset=UTF-8") =>
    await hooks.request(path, { method: "POST", body, headers: { "Content-Type": type } });
  admin = await newAdmin();
});
afterAll(() => close?.());
beforeEach(() => {
  sns.readings.length = 0;
});

const bounce = (email: string, bounceType = "Permanent") => ({
  notificationType: "Bounce",
  bounce: {
    bounceType,
    bounceSubType: "General",
    bouncedRecipients: [{ emailAddress: email, diagnosticCode: "smtp; 550 5.1.1 user unknown" }],
  },
});
const complaint = (email: string, complaintFeedbackType?: string) => ({
  eventType: "Complaint",
  complaint: {
    complainedRecipients: [{ emailAddress: `"Ada" <${email.toUpperCase()}>` }],
    complaintFeedbackType,
  },
});
const delivery = (email: string) => ({ notificationType: "Delivery", delivery: { recipients: [email] } });

const statusOf = async (path: string, message: object) => (await post(path, JSON.stringify(message))).status;
const listSuppressions = async (email: string) => {
  const { body } = await admin.get(`/v1/admin/suppressions?search=${encodeURIComponent(email)}`);
  return body.data as { id: string; email: string; reason: string; detail: string | null }[];
};
const countStored = async (email: string) => {
  const sql = await owner();
  return await sql`select kind, final from private.mail_events where email = ${email} order by created_at`;
};

describe("a report", () => {
  test.each(["1", "2"])(
    "signed in version %s is stored once, and its address gets no more mail",
    async (version) => {
      const email = uniqueEmail("bounced");
      const message = sns.notification(bounce(email), { SignatureVersion: version, Subject: "Amazon SES" });
      expect(await statusOf("/bounces", message)).toBe(200);
      expect(await listSuppressions(email)).toMatchObject([
        { email, reason: "bounce", detail: "Permanent: General: smtp; 550 5.1.1 user unknown" },
      ]);
      // Repeated, even after the address was cleared, it changes nothing.
      const [{ id } = { id: "" }] = await listSuppressions(email);
      expect((await admin.delete(`/v1/admin/suppressions/${id}`)).status).toBe(204);
      expect((await admin.delete(`/v1/admin/suppressions/${id}`)).status).toBe(404);
      const again = await Promise.all([1, 2, 3].map(() => statusOf("/bounces", message)));
      expect(again).toEqual([200, 200, 200]);
      expect(await listSuppressions(email)).toEqual([]);
      expect(await countStored(email)).toEqual([{ kind: "bounce", final: true }]);
      // The certificate is fetched once, not for every message.
      expect(sns.readings.length).toBeLessThanOrEqual(1);
    },
  );

  test("of a complaint suppresses too; of a full mailbox, a mistake or a delivery it does not", async () => {
    const [angry, full, mistaken, arrived] = [1, 2, 3, 4].map(() => uniqueEmail("mail")) as [
      string,
      string,
      string,
      string,
    ];
    expect(
      await statusOf("/complaints", sns.notification(complaint(angry, "abuse"), { TopicArn: second })),
    ).toBe(200);
    expect(await statusOf("/bounces", sns.notification(bounce(full, "Transient")))).toBe(200);
    expect(await statusOf("/complaints", sns.notification(complaint(mistaken, "not-spam")))).toBe(200);
    expect(await statusOf("/delivery", sns.notification(delivery(arrived)))).toBe(200);
    expect(await listSuppressions(angry)).toMatchObject([
      { email: angry, reason: "complaint", detail: "abuse" },
    ]);
    for (const email of [full, mistaken, arrived]) expect(await listSuppressions(email)).toEqual([]);
    expect(await countStored(full)).toEqual([{ kind: "bounce", final: false }]);
    expect(await countStored(arrived)).toEqual([{ kind: "delivery", final: false }]);
  });

  test("without events is accepted, like SES's first message", async () => {
    const first = "Successfully validated SNS topic for Amazon SES event publishing.";
    for (const message of [
      first,
      "{}",
      "[1]",
      "null",
      bounce("no address"),
      bounce("a\0b@c.test"),
      { notificationType: "Bounce" },
    ]) {
      expect(await statusOf("/bounces", sns.notification(message))).toBe(200);
    }
  });
});

describe("a rejected message", () => {
  const email = uniqueEmail("forged");
  const foreign = startSnsFake();
  const withChanges = (changes: Changes) => ({ ...sns.notification(bounce(email)), ...changes });
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
  const cases: [string, Record<string, string>][] = [
    [
      "another message under the signature",
      withChanges({ Message: JSON.stringify(bounce(email)).replace("550", "551") }),
    ],
    ["another id under the signature", withChanges({ MessageId: randomUUID() })],
    ["a subject that was not signed", withChanges({ Subject: "Hello" })],
    ["another version of the signature", withChanges({ SignatureVersion: "2" })],
    ["no signature to speak of", withChanges({ Signature: "AAAA" })],
    [
      "another key's signature",
      { ...foreign.notification(bounce(email)), SigningCertURL: sns.notification("").SigningCertURL ?? "" },
    ],
    ["a topic that is not ours", sns.notification(bounce(email), { TopicArn: `${sns.topic}-2` })],
    ["an old message", sns.notification(bounce(email), { Timestamp: dayAgo })],
    ...[
      "http://sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem",
      "https://sns.eu-west-3.amazonaws.com.evil.test/SimpleNotificationService-1.pem",
      "https://evil.test/SimpleNotificationService-1.pem",
      "https://evil.test#sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem",
      "https://sns.eu-west-3.amazonaws.com@evil.test/SimpleNotificationService-1.pem",
      "https://sns.eu-west-3.amazonaws.com:8443/SimpleNotificationService-1.pem",
      "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem",
      "https://s3.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem",
      "https://sns.eu-west-3.amazonaws.com/?Action=Publish&x=SimpleNotificationService-1.pem",
      "https://sns.eu-west-3.amazonaws.com/SimpleNotificationService-1.pem/../x",
      "file:///SimpleNotificationService-1.pem",
      "nothing",
    ].map((url): [string, Record<string, string>] => [
      `a certificate at ${url}`,
      sns.notification(bounce(email), { SigningCertURL: url }),
    ]),
  ];

  test.each(cases)("%s", async (_what, message) => {
    const answer = await post("/bounces", JSON.stringify(message));
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "FORBIDDEN" });
    expect(await listSuppressions(email)).toEqual([]);
    const { SigningCertURL } = sns.notification("");
    // Only the true certificate's URL was fetched.
    expect(sns.readings.filter((url) => url !== SigningCertURL)).toEqual([]);
  });

  test("gives an invalid-input error when malformed", async () => {
    const right = sns.notification(bounce(email));
    const { Signature: _left, ...unsigned } = right;
    for (const message of [
      unsigned,
      {},
      [],
      { ...right, SignatureVersion: "3" },
      { ...right, Type: "Other" },
      { ...right, Timestamp: "now" },
      { ...right, Message: 1 },
    ]) {
      const answer = await post("/bounces", JSON.stringify(message));
      expect(answer.status).toBe(400);
    }
    expect((await post("/bounces", "")).status).toBe(400);
  });

  test("gives an error that makes SNS retry when the certificate cannot be fetched", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const url = "https://sns.eu-west-3.amazonaws.com/SimpleNotificationService-gone.pem";
    expect(await statusOf("/bounces", sns.notification(bounce(email), { SigningCertURL: url }))).toBe(502);
    vi.restoreAllMocks();
  });
});

describe("a subscription", () => {
  test("is confirmed at SNS, once its message is verified", async () => {
    const message = sns.confirmation();
    expect(await statusOf("/delivery", message)).toBe(200);
    expect(sns.readings).toContain(message.SubscribeURL);
    expect(await statusOf("/delivery", { ...sns.notification(""), Type: "UnsubscribeConfirmation" })).toBe(
      403,
    );
  });

  test.each([
    ["elsewhere", (url: string) => url.replace("sns.eu-west-3.amazonaws.com", "127.0.0.1")],
    ["in another way", (url: string) => url.replace("ConfirmSubscription", "DeleteTopic")],
    [
      "for another topic",
      (url: string) => url.replace(encodeURIComponent(sns.topic), encodeURIComponent(second)),
    ],
  ])("is not confirmed %s, even when signed", async (_where, change) => {
    const { SubscribeURL = "" } = sns.confirmation();
    const message = sns.confirmation({ SubscribeURL: change(SubscribeURL) });
    expect(await statusOf("/delivery", message)).toBe(403);
    expect(sns.readings.filter((url) => !url.endsWith(".pem"))).toEqual([]);
  });
});

describe("a suppressed address", () => {
  test("gets neither invitations nor auth mails, and gets them again when cleared", async () => {
    const team = await newTeam();
    const email = uniqueEmail("suppressed");
    await statusOf("/bounces", sns.notification(bounce(email)));
    const path = `/v1/teamUsers/${team.id}/users`;
    const roleId = systemRoleIds.viewer;
    const { body: invited } = await team.owner.post(path, { email, roleId });
    expect((await anyone.post("/v1/auth/forgotPassword", { email })).status).toBe(202);
    // Another mail of the same call has arrived: this one would have arrived as well.
    const beside = uniqueEmail("beside");
    await team.owner.post(path, { email: beside, roleId });
    await mailTo(beside);
    expect(await mailsTo(email)).toEqual([]);
    const [{ id } = { id: "" }] = await listSuppressions(email);
    expect((await admin.delete(`/v1/admin/suppressions/${id}`)).status).toBe(204);
    await team.owner.put(`${path}/${invited.id}/invites`, { status: "pending", roleId });
    await mailTo(email);
  });
});

describe("the running API", () => {
  test("rejects every message while no topic is configured", async () => {
    const headers = { "Content-Type": "text/plain; charset=UTF-8" };
    for (const path of ["/v1/sns/bounces", "/v1/sns/complaints", "/v1/sns/delivery"]) {
      const body = JSON.stringify(sns.notification(bounce(uniqueEmail())));
      expect(await anyone.call("POST", path, body, { headers })).toMatchObject({
        status: 403,
        body: { code: "FORBIDDEN" },
      });
      expect(await anyone.call("POST", path, "not JSON", { headers })).toMatchObject({ status: 400 });
      expect(await anyone.call("POST", path, "{}", { headers })).toMatchObject({ status: 400 });
      expect(await anyone.call("GET", path)).toMatchObject({ status: 405 });
    }
  });
});
