// Chart data: round scales, labels that do not overlap, and figures that the table repeats.

import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import french from "../../locales/fr/app.json" with { type: "json" };
import { REPLY_TICK_MS, replyTime } from "../../web/pages/teams/@teamId/insights/reply-time.ts";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { Chart } from "../../web/ui/charts/Chart.tsx";
import { chooseLabels, ticksTo } from "../../web/ui/charts/scale.ts";
import fc from "../support/property-cases.ts";

describe("a value axis", () => {
  test("is round and reaches the maximum", () => {
    expect(ticksTo(0)).toEqual([0, 1]);
    expect(ticksTo(1)).toEqual([0, 1]);
    expect(ticksTo(3)).toEqual([0, 1, 2, 3]);
    expect(ticksTo(26)).toEqual([0, 10, 20, 30]);
    expect(ticksTo(100)).toEqual([0, 25, 50, 75, 100]);
    expect(ticksTo(0, 100)).toEqual([0, 100]);
    expect(ticksTo(170, 100)).toEqual([0, 100, 200]);
    expect(ticksTo(2600, 100)).toEqual([0, 1000, 2000, 3000]);
  });

  test("has at most five ticks, at equal distances, integers for counts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (greatest) => {
        const ticks = ticksTo(greatest);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks.every(Number.isInteger)).toBe(true);
        const steps = new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)));
        expect(steps.size).toBe(1);
      }),
    );
  });
});

test("no two ticks of a reply time have one label", () => {
  const seconds = replyTime("en");
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600_000 }), (greatest) => {
      const labels = ticksTo(greatest, REPLY_TICK_MS).map(seconds);
      expect(new Set(labels).size).toBe(labels.length);
    }),
  );
});

test("an axis of many labels shows the first, the last and few between", () => {
  expect([...chooseLabels(3)]).toEqual([0, 1, 2]);
  expect([...chooseLabels(30)]).toEqual([0, 7, 15, 22, 29]);
});

describe("a chart", () => {
  // As French writes it: only the language's own words have the no-break space.
  const app = { chart: { table: "Table" }, labelled: french.labelled };
  const interpolation = { escapeValue: false };
  const i18n = createInstance({ lng: "fr", resources: { fr: { app } }, interpolation });
  const draw = async (values: (number | null)[], kind: "bars" | "line" = "bars") => {
    if (!i18n.isInitialized) await i18n.init();
    const labels = values.map((_, index) => `Day ${index}`);
    return renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <Chart
          kind={kind}
          title="Chats"
          summary="9 chats in total."
          across="Day"
          labels={labels}
          series={[{ label: "Chats", values }]}
          format={String}
        />
      </I18nextProvider>,
    );
  };

  test("names itself, states its sum, and has every figure in its table", async () => {
    const html = await draw([2, 0, 7]);
    expect(html).toContain('aria-label="9 chats in total."');
    for (const value of [2, 0, 7]) expect(html).toContain(`>${value}</td>`);
    expect(html).toContain("<title>Day 2 · Chats\u00a0: 7</title>");
    expect(await draw([2, 7], "line")).toContain("<title>Day 1 · Chats\u00a0: 7</title>");
    expect(html).not.toContain("NaN");
  });

  test("has a gap where there is no value, and no figure for it", async () => {
    const html = await draw([1, null, 3, 4], "line");
    const [, path = ""] = / d="([^"]+)"/.exec(html) ?? [];
    expect(path.match(/M/g)).toHaveLength(2);
    expect(html).toContain(">–</td>");
  });

  test("without values still has a scale", async () => {
    expect(await draw([0, 0])).not.toMatch(/NaN|Infinity/);
    expect(await draw([null], "line")).not.toMatch(/NaN|Infinity/);
  });
});
