// Forms follow permissions: posting every form that a page shows meets no refusal for want of a permission.
import { expect, test } from "vitest";
import { newMember, type Person } from "../support/api.ts";
import { furnishedTeam } from "../support/furnished.ts";
import { openBrowser } from "../support/meanwhile/stand.ts";
import { filledForm, shownForms } from "../support/refused-forms.ts";
import { formsIn, type HtmlForm, signIn, type WebSession } from "../support/web-forms.ts";
import { say } from "../support/words.ts";

/** Ends what later forms need, so it is posted last. */
const ends = /delete|remove|leave|revoke|logout/i;

type Offered = { path: string; form: HtmlForm; name: string };

/** Every form of the pages that can be reached from the dashboard, once for each kind of page. */
async function offeredForms(session: WebSession): Promise<Offered[]> {
  const waiting = ["/dashboard"];
  const seen = new Set<string>();
  const forms = new Map<string, Offered>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, html } = await session.get(path);
    if (status !== 200) continue;
    for (const form of formsIn(html)) {
      const name = form.fields.find((field) => field.name === "form")?.value ?? "";
      const page = path.replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}/g, "id");
      forms.set(`${page} ${form.action} ${name.replace(/[0-9a-f-]{36}/, "id")}`, { path, form, name });
    }
    for (const [, href = ""] of html.matchAll(/<a\b[^>]*? href="(\/[^"#]*)"/g)) {
      const link = href.replaceAll("&amp;", "&");
      if (/^\/(dashboard|onboarding|teams\/)/.test(link) && !/\?sort|\/export/.test(link)) waiting.push(link);
    }
  }
  return [...forms.values()];
}

/** A page without the texts that it brings for its islands. */
const visibleText = (html: string) => html.replaceAll(/<script\b[\s\S]*?<\/script>/g, "");

async function post(session: WebSession, { path, form }: Offered) {
  const body = form.isMultipart ? new FormData() : new URLSearchParams();
  for (const { name, value, isTyped } of form.fields) body.append(name, value || (isTyped ? "x" : ""));
  const target = form.action === "" ? path : form.action;
  return await session.post(target.startsWith("?") ? path.replace(/\?.*/, "") + target : target, body);
}

test.each([
  ["owner", 15],
  ["admin", 12],
  ["editor", 8],
  ["viewer", 1],
] as const)("every form works for the %s", async (role, atLeast) => {
  const { team } = await furnishedTeam();
  const person: Person = role === "owner" ? team.owner : await newMember(team, role);
  const session = await signIn(person);
  const forms = (await offeredForms(session))
    .filter(({ form }) => !form.action.startsWith("/logout"))
    .toSorted((a, b) => Number(ends.test(a.name)) - Number(ends.test(b.name)));
  const refused: string[] = [];
  for (const offered of forms) {
    const { status, html } = await post(session, offered);
    if (status === 403 || visibleText(html).includes(say("errors:FORBIDDEN.description")))
      refused.push(`${offered.path} ${offered.name}`);
  }
  expect(refused).toEqual([]);
  expect(forms.length).toBeGreaterThanOrEqual(atLeast);
});

test("the settings of handovers say why a role that may not read chats cannot change them", async () => {
  const { team } = await furnishedTeam();
  const permissions = ["team.read", "team.update"];
  const role = await team.owner.post("/v1/roles", { teamId: team.id, name: "Names the team", permissions });
  const session = await signIn(await newMember(team, role.body.id));
  const { status, html } = await session.get(`/teams/${team.codename}/handovers/settings`);
  expect(status).toBe(200);
  expect(formsIn(html).filter(({ fields }) => fields.some(({ name }) => name === "form"))).toEqual([]);
  expect(visibleText(html)).toContain(say("handovers:settings.needsChats"));
});

test("an agent keeps its knowledge bases when a role saves it that may not see them", async () => {
  const { team } = await furnishedTeam();
  const knowledge = await team.owner.post(`${team.path}/knowledges`, { name: "Kept" });
  const values = { name: "Asked", knowledgeIds: [knowledge.body.id] };
  const agent = await team.owner.post(`${team.path}/agents`, values);
  const permissions = ["team.read", "agents.read", "agents.write"];
  const role = await team.owner.post("/v1/roles", { teamId: team.id, name: "Agents alone", permissions });
  const page = `/teams/${team.codename}/agents/${agent.body.id}`;
  const browser = await openBrowser("en", await newMember(team, role.body.id));
  const read = async () => {
    const { status, html } = await browser.get(page);
    expect(status).toBe(200);
    return shownForms(html).find(
      ({ name, fields }) => name === "" && fields.some((one) => one.name === "name"),
    );
  };
  const opened = await read();
  if (!opened) throw new Error("The agent's form is not shown");
  expect(visibleText((await browser.get(page)).html)).not.toContain("Kept");
  // The role may see them by the time the form is posted.
  await team.owner.put(`/v1/roles/${role.body.id}`, { permissions: [...permissions, "knowledges.read"] });
  expect((await browser.post(page, filledForm(opened, { name: "Renamed" }))).status).toBe(303);
  const path = `${team.path}/agents/${agent.body.id}`;
  expect((await team.owner.get(path)).body).toMatchObject({ ...values, name: "Renamed" });

  const shown = await read();
  if (!shown) throw new Error("The agent's form is not shown");
  expect((await browser.post(page, filledForm(shown, { knowledgeIds: [] }))).status).toBe(303);
  expect((await team.owner.get(path)).body.knowledgeIds).toEqual([]);
});
