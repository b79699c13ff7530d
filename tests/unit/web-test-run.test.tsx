// The page of a run of an agent's tests: what it says about tests that nobody could decide, and before a version is published anyway.
import { createInstance } from "i18next";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { say, wordsIn } from "../support/words.ts";

// The header reads the whole agent, and says nothing about a run.
vi.mock("../../web/pages/teams/@teamId/agents/AgentHeader.tsx", () => ({
  AgentHeader: ({ actions, children }: { actions: ReactNode; children: ReactNode }) => (
    <>
      {actions}
      {children}
    </>
  ),
}));

const clean = {
  id: "run",
  versionId: "tested",
  versionNumber: 2,
  liveVersionId: "live" as string | null,
  liveVersionNumber: 1,
  status: "succeeded",
  total: 3,
  done: 3,
  passed: 3,
  failed: 0,
  documentDeleted: 0,
  undecided: 0,
  broken: 0,
  fixed: 0,
  error: null,
  results: [] as object[],
};

let show: (run: Partial<typeof clean>) => Promise<string>;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { Page } = await import("../../web/pages/teams/@teamId/agents/@agentId/tests/@runId/+Page.tsx");
  const { RenderContextProvider } = await import("../../web/render/render-context.tsx");
  type Context = NonNullable<Parameters<typeof RenderContextProvider>[0]["value"]>;
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: wordsIn("en") }, interpolation: { escapeValue: false } });
  show = async (run) => {
    const team = { id: "team", codename: "demo", permissions: ["agents.read", "agents.write"] };
    const context = {
      request: { team, teams: [team], url: new URL("http://web.test/teams/demo/agents/agent/tests/run") },
      frame: { team },
      canOpen: () => true,
      t: i18n.t,
      routeParams: { teamId: "demo", agentId: "agent", runId: "run" },
      data: { agent: { id: "agent", name: "Helper" }, run: { ...clean, ...run }, task: null, isDraft: true },
      shownForms: new Set(),
      islands: [],
      namespaces: new Set(),
    } as unknown as Context; // The parts that the page reads.
    return renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <RenderContextProvider value={context}>
          <Page />
        </RenderContextProvider>
      </I18nextProvider>,
    );
  };
});

describe("the note about undecided tests", () => {
  test("is absent when all are decided", async () => {
    const page = await show({});
    expect(page).not.toContain(say("agentTests:run.undecidedText"));
    expect(page).not.toContain(say("agentTests:run.allUndecidedText"));
  });

  test("says why some are, or that all are", async () => {
    expect(await show({ passed: 2, undecided: 1 })).toContain(say("agentTests:run.undecidedText"));
    expect(await show({ passed: 0, undecided: 3 })).toContain(say("agentTests:run.allUndecidedText"));
  });
});

describe("an answer", () => {
  const table = "| Role | May |\n| --- | --- |\n| Owner | **delete** the team |";
  const result = (liveAnswer: string | null) => ({
    id: "result",
    question: "Who may delete the team?",
    facts: ["Owner"],
    findings: { facts: [true] },
    verdict: "passed",
    answer: table,
    liveAnswer,
  });

  test("is shown as in a chat, alone and when nothing changed", async () => {
    for (const page of [
      await show({ liveVersionId: null, results: [result(null)] }),
      await show({ results: [result(table)] }),
    ]) {
      expect(page).toContain("<strong>delete</strong>");
      expect(page).not.toContain("| Owner |");
    }
  });

  test("is compared with the live one word by word", async () => {
    expect(await show({ results: [result("Nobody.")] })).toMatch(/<del[^>]*>Nobody\./);
  });
});

describe("the dialog to publish anyway", () => {
  const broken = say("agentTests:run.anywayText");
  const undecided = say("agentTests:run.anywayUndecidedText");
  const unfinished = say("agentTests:run.anywayUnfinishedText", { done: 1, total: 3 });
  const record = say("agentTests:run.anywayRecord");

  test("is absent after a clean run", async () => {
    expect(await show({})).not.toContain(record);
  });

  test.each([
    [{ passed: 2, failed: 1, broken: 1 }, [broken, record]],
    [{ passed: 2, undecided: 1 }, [undecided, record]],
    [{ status: "stopped", done: 1, passed: 1 }, [unfinished, record]],
    [
      { status: "failed", done: 1, passed: 0, failed: 1, broken: 1, undecided: 1 },
      [broken, undecided, unfinished, record],
    ],
  ])("names what speaks against it: %o", async (run, sentences) => {
    expect(await show(run)).toContain(sentences.join(" "));
  });
});
