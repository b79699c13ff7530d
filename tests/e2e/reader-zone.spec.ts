// Times and days are in the reader's time zone, which the server learns from the browser.
import { sayIn } from "../support/words.ts";
import { registerByForm, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const zone = "Pacific/Auckland";
test.use({ timezoneId: zone });

test("a server-rendered page shows times in the reader's zone", async ({ page }) => {
  await registerByForm(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name: "Night shift" } });
  const { codename } = (await made.json()) as { codename: string };
  await page.goto(`/teams/${codename}/users`);
  await expect(page.locator("main time").first()).toHaveAttribute("title", /GMT\+1[23]$/);
});

test("figures are by the reader's days, and name the zone", async ({ page }) => {
  await registerByForm(page, someone());
  const team = await (await page.request.post("/v1/teams", { data: { name: "Night shift" } })).json();
  const agent = await (
    await page.request.post(`/v1/teams/${team.id}/agents`, { data: { name: "Owl" } })
  ).json();
  await page.request.post(`/v1/agents/${agent.id}/chats`, { data: { title: "Late" } });
  const dayThere = () => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format();
  const before = dayThere();
  await page.goto(`/teams/${team.codename}/insights`);
  const days = sayIn("en")("insights:compared", { range: "|", zone: "New Zealand Time" }).split("|")[1];
  await expect(page.getByText(days ?? "")).toBeVisible();
  const file = await page.getByRole("link", { name: sayIn("en")("insights:csv") }).getAttribute("href");
  const rows = (await (await page.request.get(file ?? "")).text()).trim().split("\r\n");
  // Midnight may pass during the test.
  expect([before, dayThere()]).toContain(rows.at(-1)?.split(",")[0]);
  expect(rows.at(-1)?.split(",")[1]).toBe("1");
});

test("the widget's frame reports no zone: its host stores none", async ({ page }) => {
  const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
  const posted: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posted.push(request.url()));
  await page.goto(process.env.SDK_URL ?? `http://127.0.0.1:${3001 + offset}`);
  await page.getByRole("button", { name: sayIn("en")("widget:open") }).click();
  const frame = page.frameLocator("parley-chat iframe");
  await expect(frame.locator("[data-island][data-hydrated]")).toBeAttached();
  expect(posted).toEqual([]);
});
