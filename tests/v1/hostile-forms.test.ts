// Posts every form of a team's pages as a browser without JavaScript does, with hostile values in typed fields: never a 5xx, their markup
// or their header, and no change in another team.
import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Team } from "../support/api.ts";
import { atRest } from "../support/content.ts";
import { type Furnished, furnishedTeam } from "../support/furnished.ts";
import { rawMarkup } from "../support/hostile-team.ts";
import { hostileClasses, hostileValues } from "../support/hostile-values.ts";
import { rowsOf } from "../support/team-rows.ts";
import { formsIn, type HtmlForm, signIn, type WebSession } from "../support/web-forms.ts";

let own: Furnished;
let canary: Team;
let before: string;
let web: WebSession;

beforeAll(async () => {
  [own, { team: canary }] = await Promise.all([furnishedTeam(), furnishedTeam()]);
  await atRest(canary);
  before = await rowsOf(canary);
  web = await signIn(own.team.owner);
});

/** One value per class, none of a megabyte: as text, since a form has nothing else. */
const texts = hostileClasses.flatMap((kind) => {
  const json = hostileValues[kind].find((one) => one.startsWith('"') && one.length < 20_000);
  if (json === undefined) return [];
  const text: unknown = JSON.parse(json);
  return typeof text === "string" ? [text] : [];
});

const ofTeam = "web/pages/teams/@teamId";

/** The pages with forms, as far as a furnished team has what they are about. */
function pages({ team: { codename }, ids }: Furnished): string[] {
  const known: Furnished["ids"] = { ...ids, "source/": ids["sources/"] ?? "" };
  const paths = readdirSync(ofTeam, { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name) === "+action.ts")
    .map((name) => dirname(name).replace(/\/index$/, ""))
    .map((path) =>
      path.replace(/(\w+\/)@\w+/g, (all, before: string) => (known[before] ? before + known[before] : all)),
    )
    // Slack leads to an app's confirmation, with a state of its own.
    .filter((path) => !path.includes("@") && !path.endsWith("/confirm"));
  return ["/account", "/teams/create", "/support", ...paths.map((path) => `/teams/${codename}/${path}`)];
}

/** Forms without a typed field end something: the team, a session, a key. */
const isTyped = ({ action, isMultipart, fields }: HtmlForm): boolean =>
  action === "" &&
  !isMultipart &&
  fields.some((field) => field.isTyped) &&
  !fields.some(({ name }) => /password/i.test(name));

async function formsOf(path: string): Promise<HtmlForm[]> {
  const { status, html } = await web.get(path);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  return formsIn(html).filter(isTyped);
}

test("every field of every form handles hostile values", async () => {
  const complaints: string[] = [];
  const statuses = new Map<number, number>();
  let turn = 0;
  let tried = 0;
  for (const path of pages(own)) {
    for (const form of await formsOf(path)) {
      for (const field of form.fields) {
        // A quarter of the values each time, so that each field gets others.
        turn += 1;
        for (const text of texts.filter((_text, at) => at % 4 === turn % 4)) {
          const body = new URLSearchParams(
            form.fields.map(({ name, value }) => [name, name === field.name ? text : value]),
          );
          const { status, headers, html } = await web.post(path, body);
          const what = `${path} ${field.name} ${JSON.stringify(text).slice(0, 60)}`;
          tried += 1;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500) complaints.push(`${what}: ${status}`);
          if (rawMarkup.some((raw) => html.includes(raw))) complaints.push(`${what}: markup`);
          if (headers.get("set-cookie")?.startsWith("x=") || headers.has("x"))
            complaints.push(`${what}: a header`);
          const location = headers.get("location") ?? "/";
          if (!/^\/(?!\/)/.test(location)) complaints.push(`${what}: leads to ${location}`);
        }
      }
    }
  }
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(`${tried} posts of forms: ${counts.join(", ")}`);
  expect(complaints).toEqual([]);
  expect(tried).toBeGreaterThan(200);
  // Some are accepted and some rejected, by each field's rule. The id of another person is refused before that.
  const judged = tried - (statuses.get(409) ?? 0);
  expect(statuses.get(303) ?? statuses.get(302) ?? 0).toBeGreaterThan(judged / 20);
  expect((statuses.get(400) ?? 0) + (statuses.get(422) ?? 0)).toBeGreaterThan(judged / 20);
  expect(await rowsOf(canary)).toBe(before);
});
