// Connecting an agent to Slack as a person does it: through Slack's consent page and back; then a question from Slack.
import { SlackFake } from "../support/fakes/slack.ts";
import { findStack } from "../support/stack.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** The port that the stack was told Slack is at: tests/support/runner/one-stack.mjs. */
const slackPort = 54340 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

test("connect an agent to Slack, ask it there, disconnect it", async ({ page }) => {
  // Many pages, one after the other.
  test.slow();
  const slack = await new SlackFake().start(slackPort);
  const workspace = `T${Date.now()}`;
  slack.tokens.workspace = { id: workspace, name: "Browser & Co" };
  slack.users.set("U0MEMBER", { locale: "en-US" });
  try {
    const name = `Desk ${Date.now()}`;
    await logIn(page, demo);
    await page.goto("/teams/demo/apps");
    await page.getByRole("link", { name: "Connect Slack" }).first().click();
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "handbook" });
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(page.getByText("Not connected yet")).toBeVisible();

    await page.getByRole("link", { name: "Add to Slack" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page.getByText("Nobody approved Parley in Slack")).toBeVisible();
    await page.getByRole("link", { name: "Add to Slack" }).click();
    await page.getByRole("link", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm the Slack connection");
    await expect(page.getByText("Browser & Co", { exact: true })).toBeVisible();
    // Whoever else has the address is not the person who began.
    const elsewhere = await page.context().browser()?.newPage();
    await elsewhere?.goto(page.url());
    await expect(elsewhere?.getByRole("heading", { level: 1 }) ?? page.locator("none")).toHaveText(/log in/i);
    await elsewhere?.close();
    await page.getByRole("button", { name: "Connect workspace" }).click();
    await expect(page.getByText("Parley is in Browser & Co.")).toBeVisible();

    const { apiUrl } = await findStack();
    const ts = slack.conversations.ts();
    const text = "How many days of leave do I have?";
    const event = { type: "message", channel: "D1", channel_type: "im", user: "U0MEMBER", text, ts };
    const body = slack.envelope(workspace, event);
    const headers = { "content-type": "application/json", ...slack.sign(body) };
    const told = await fetch(`${apiUrl}/slack/events`, { method: "POST", headers, body });
    expect(told.status).toBe(200);
    const replies = () => slack.conversations.inThread(ts);
    await expect.poll(() => replies()[0]?.blocks.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(replies()).toHaveLength(1);
    const source = /<([^|>]+)\|\[1\]/.exec(JSON.stringify(replies()[0]?.blocks))?.[1] ?? "";
    await page.goto(source.replaceAll("&amp;", "&"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.goto("/teams/demo/chats");
    await expect(page.getByText(text).first()).toBeVisible();

    await page.goto("/teams/demo/apps");
    await page.getByRole("link", { name }).click();
    await page.getByLabel("Channels").fill("#general");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("A channel ID looks like C0123ABCD.")).toBeVisible();
    await page.getByLabel("Channels").fill("C0123ABCD, C0456EFGH");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Disconnect…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByText("App disconnected", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name })).toHaveCount(0);
    expect(slack.callsOf("auth.revoke")).toHaveLength(1);
  } finally {
    await slack.stop();
  }
});
