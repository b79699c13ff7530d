// Connecting an agent to Slack as a person does: through Slack's consent page and back; then a question from Slack.
import { SlackFake } from "../support/fakes/slack.ts";
import { findStack } from "../support/stack.ts";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** The port at which the stack expects Slack: tests/support/runner/one-stack.mjs. */
const slackPort = 54340 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

test("connect an agent to Slack, ask it there, disconnect it", async ({ page }) => {
  // Many pages in sequence.
  const slack = await new SlackFake().start(slackPort);
  const workspace = `T${Date.now()}`;
  slack.tokens.workspace = { id: workspace, name: "Browser & Co" };
  slack.users.set("U0MEMBER", { locale: "en-US" });
  try {
    const name = `Desk ${Date.now()}`;
    await logIn(page, demo);
    await page.goto("/teams/demo/apps");
    await page
      .getByRole("link", { name: say("apps:list.create") })
      .first()
      .click();
    await page.getByLabel(say("apps:agent"), { exact: true }).selectOption({ label: "handbook" });
    await page.getByLabel(say("apps:name")).fill(name);
    await page.getByRole("button", { name: say("apps:create.submit") }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.getByText(say("apps:statuses.pending"))).toBeVisible();

    await page.getByRole("link", { name: say("apps:connection.do.pending") }).click();
    await page.getByRole("link", { name: say("app:cancel") }).click();
    await expect(page.getByText(say("apps:result.denied.text"))).toBeVisible();
    await page.getByRole("link", { name: say("apps:connection.do.pending") }).click();
    await page.getByRole("link", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("apps:confirm.title"));
    await expect(page.getByText("Browser & Co", { exact: true })).toBeVisible();
    // Another browser with the URL is not the person who started.
    const elsewhere = await page.context().browser()?.newPage();
    await elsewhere?.goto(page.url());
    await expect(elsewhere?.getByRole("heading", { level: 1 }) ?? page.locator("none")).toHaveText(
      say("auth:login.title"),
    );
    await elsewhere?.close();
    await page.getByRole("button", { name: say("apps:confirm.submit") }).click();
    await expect(
      page.getByText(say("apps:result.connected.text", { workspace: "Browser & Co" })),
    ).toBeVisible();

    const { apiUrl } = await findStack();
    const ask = async (text: string, channel = "D1") => {
      const ts = slack.conversations.ts();
      const event = { type: "message", channel, channel_type: "im", user: "U0MEMBER", text, ts };
      const body = slack.envelope(workspace, event);
      const headers = { "content-type": "application/json", ...slack.sign(body) };
      const told = await fetch(`${apiUrl}/slack/events`, { method: "POST", headers, body });
      expect(told.status).toBe(200);
      return ts;
    };
    const text = "How many days of leave do we have?";
    const ts = await ask(text);
    const replies = () => slack.conversations.inThread(ts);
    await expect.poll(() => replies()[0]?.blocks.length ?? 0).toBeGreaterThan(1);
    expect(replies()).toHaveLength(1);
    const source = /<([^|>]+)\|\[1\]/.exec(JSON.stringify(replies()[0]?.blocks))?.[1] ?? "";
    await page.goto(source.replaceAll("&amp;", "&"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.goto("/teams/demo/chats");
    await expect(page.getByText(text).first()).toBeVisible();
    await expect(page.getByText(say("chats:undelivered"))).toHaveCount(0);

    slack.conversations.archived.add("D2");
    await ask(`${name}?`, "D2");
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("row", { name }).getByText(say("chats:undelivered"))).toBeVisible();
    }).toPass();
    await page.getByRole("link", { name: `${name}?` }).click();
    const reply = page.getByRole("article", { name: say("chat:reply") });
    await expect(reply).toContainText(say("errors:refusals.slackArchived"));

    await page.goto("/teams/demo/apps");
    await page.getByRole("link", { name }).click();
    await page.getByLabel(say("apps:channels.label")).fill("#general");
    await page.getByRole("button", { name: say("app:save") }).click();
    await expect(page.getByText(say("apps:channels.wrong"))).toBeVisible();
    await page.getByLabel(say("apps:channels.label")).fill("C0123ABCD, C0456EFGH");
    await page.getByRole("button", { name: say("app:save") }).click();
    await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
    await page.getByRole("button", { name: say("apps:delete.button") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("apps:delete.confirm") })
      .click();
    await expect(page.getByText(say("apps:delete.done"), { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name })).toHaveCount(0);
    expect(slack.callsOf("auth.revoke")).toHaveLength(1);
  } finally {
    await slack.stop();
  }
});
