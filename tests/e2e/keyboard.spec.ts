// The main flows by keyboard alone, from the login to another team: every focused control is visibly focused.
import type { Locator, Page } from "@playwright/test";
import { say, sayAny } from "../support/words.ts";
import { demo } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** Presses Tab until a control has the focus; every stop must be visible, and not below a bar that stays in view. */
async function tabTo(page: Page, control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(control).toBeVisible();
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press(key);
    const { here, seen, covered, what } = await control.evaluate(async (wanted) => {
      const { activeElement } = document;
      // The page itself and targets of focus after a navigation are no controls.
      if (!activeElement || activeElement.matches("body, main, h1"))
        return { here: false, seen: true, covered: false, what: "" };
      // Colours in a transition would be read half way.
      const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.all(fading.map(({ finished }) => finished.catch(() => null)));
      const style = getComputedStyle(document.documentElement);
      const probe = document.body.appendChild(document.createElement("i"));
      const colours = ["--focus", "--color-accent"].map((name) => {
        probe.style.color = style.getPropertyValue(name);
        return getComputedStyle(probe).color;
      });
      probe.remove();
      // Some controls show focus on the box around them; the separator of two panels is filled.
      const marked = [activeElement, activeElement.closest("form, label")].some((element) => {
        if (!element) return false;
        const { outlineStyle, borderColor, backgroundColor } = getComputedStyle(element);
        return outlineStyle !== "none" || colours.includes(borderColor) || colours.includes(backgroundColor);
      });
      const { left, top, bottom } = activeElement.getBoundingClientRect();
      const shown = document.elementFromPoint(left + 8, (top + Math.min(bottom, innerHeight)) / 2);
      const covered = shown?.closest("[data-covers]")?.contains(activeElement) === false;
      return {
        here: activeElement === wanted,
        seen: marked,
        covered,
        what: activeElement.outerHTML.slice(0, 200),
      };
    });
    expect(seen, `no focus to be seen on ${what}`).toBe(true);
    expect(covered, `a bar covers ${what}`).toBe(false);
    if (here) return;
  }
  throw new Error(`${String(control)} cannot be reached with ${key}`);
}

test("log in, create an agent, ask it, open its citation, use the palette, and switch the team", async ({
  page,
}) => {
  const { keyboard } = page;
  const main = page.getByRole("main");
  const heading = page.getByRole("heading", { level: 1 });

  await page.goto("/login");
  await expect(page.getByLabel(say("auth:email"))).toBeFocused();
  await keyboard.type(demo.email);
  await tabTo(page, page.getByLabel(say("auth:password")));
  await keyboard.type(demo.password);
  await keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== "/login");

  // A team to switch to, last in the list so that nobody else's first team changes.
  const name = `Zz keys ${Date.now()}`;
  const origin = new URL(page.url()).origin;
  const other = await (await page.request.post("/v1/teams", { data: { name }, headers: { origin } })).json();
  let agentId: string | undefined;
  try {
    await page.goto("/teams/demo/agents");
    await keyboard.press("Tab");
    await expect(page.getByRole("link", { name: say("app:skip") })).toBeFocused();
    await keyboard.press("Enter");
    await expect(main).toBeFocused();
    await tabTo(page, main.getByRole("link", { name: say("agents:list.create") }));
    await keyboard.press("Enter");
    await page.waitForURL("**/agents/create");
    await expect(page.getByLabel(say("agents:name"), { exact: true })).toBeFocused();
    await keyboard.type("By keys alone");
    await tabTo(page, page.getByLabel(say("agents:knowledge"), { exact: true }));
    await keyboard.type("Handbook");
    await expect(page.getByLabel(say("agents:knowledge"), { exact: true })).not.toHaveValue("");
    await tabTo(page, page.getByRole("button", { name: say("agents:create.submit") }));
    await keyboard.press("Enter");
    await expect(heading).toHaveText("By keys alone");
    agentId = new URL(page.url()).pathname.split("/").at(-1);

    await tabTo(page, main.getByRole("link", { name: say("agents:try") }));
    await keyboard.press("Enter");
    await page.waitForURL("**/playground?*");
    await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
    const question = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
    await tabTo(page, question);
    await keyboard.type("How many days of paid leave do I have?");
    await keyboard.press("Enter");
    const reply = page.getByRole("article", { name: say("chat:reply") });
    await expect(reply).toContainText("27 days");
    await expect(page.getByRole("button", { name: say("chat:retry"), exact: true })).toBeVisible();
    await tabTo(
      page,
      reply.getByRole("button", { name: sayAny("chat:mark", { index: 1, title: /[^,]+$/ }) }).first(),
      "Shift+Tab",
    );
    await keyboard.press("Enter");
    const evidence = page.getByRole("complementary", { name: say("passages:evidence.title") });
    await expect(evidence.locator("mark").first()).toContainText("27 days");
    await tabTo(page, evidence.getByRole("link", { name: say("passages:evidence.document") }));
    await keyboard.press("Enter");
    await page.waitForURL("**/documents/**");
    await expect(page.locator("mark#quote")).toBeInViewport();

    await keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await keyboard.type("By keys");
    await expect(page.getByRole("option", { name: /By keys alone/ }).first()).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await keyboard.press("Enter");
    await expect(heading).toHaveText("By keys alone");
    await tabTo(page, page.getByRole("button", { name: say("agents:delete.button") }));
    await keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await tabTo(page, page.getByRole("button", { name: say("agents:delete.confirm") }));
    await keyboard.press("Enter");
    await page.waitForURL("**/teams/demo/agents");
    agentId = undefined;

    const teams = page.locator("#sidebar summary").first();
    await tabTo(page, teams, "Shift+Tab");
    await keyboard.press("Enter");
    await tabTo(page, page.locator("#sidebar").getByRole("link", { name }));
    await keyboard.press("Enter");
    await page.waitForURL(`**/teams/${other.codename}/agents`);
    await expect(teams).toContainText(name);
    await expect(heading).toHaveText(say("agents:list.title"));
  } finally {
    await page.request.delete(`/v1/teams/${other.id}`, { headers: { origin } });
    const demoTeam = (await (await page.request.get("/v1/teams/demo")).json()).id;
    if (agentId)
      await page.request.delete(`/v1/teams/${demoTeam}/agents/${agentId}`, { headers: { origin } });
  }
});
