// Times are shown in the reader's zone, which comes from a cookie that may be forged.
import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { TimeZone } from "../../web/client/time-zone.ts";
import { I18nextProvider } from "../../web/render/server-translations.tsx";
import { readerZone } from "../../web/request/reader-zone.ts";
import { DateCell } from "../../web/ui/DateCell.tsx";
import { DateTime } from "../../web/ui/DateTime.tsx";

async function renderTime(
  value: string,
  timeZone: string,
  lng: string,
  Shown: typeof DateTime | typeof DateCell = DateTime,
): Promise<string> {
  const i18n = createInstance();
  await i18n.init({ lng, resources: { [lng]: { app: {} } } });
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <TimeZone value={timeZone}>
        <Shown value={value} />
      </TimeZone>
    </I18nextProvider>,
  );
}

test("a time has the reader's day, and its zone", async () => {
  const moment = "2026-03-01T02:30:00.000Z";
  expect(await renderTime(moment, "America/New_York", "en")).toMatch(
    /title="February 28, 2026[^"]*9:30\sPM EST".*>Feb 28, 2026</,
  );
  expect(await renderTime(moment, "Europe/Paris", "fr")).toMatch(
    /title="1 mars 2026[^"]*03:30 (UTC|GMT)\+1".*>1 mars 2026</,
  );
  expect(await renderTime(moment, "UTC", "en")).toMatch(
    /title="March 1, 2026[^"]*2:30\sAM UTC".*>Mar 1, 2026</,
  );
});

test.each([
  // A link that is valid for 24 hours, and an invitation for 7 days, a minute after they were created.
  [24 * 60 - 1, "in 24 hours", "dans 24 heures"],
  [7 * 24 * 60 - 1, "in 7 days", "dans 7 jours"],
  [60 - 0.4, "in 1 hour", "dans 1 heure"],
  [59, "in 59 minutes", "dans 59 minutes"],
  [5 - 0.1, "in 5 minutes", "dans 5 minutes"],
  [47 * 60, "in 2 days", "après-demain"],
  [-0.4, "now", "maintenant"],
  [-119, "2 hours ago", "il y a 2 heures"],
  [-26 * 60, "yesterday", "hier"],
])("%d minutes from now are written as a person counts them", async (minutes, english, french) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  try {
    const value = new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await renderTime(value, "UTC", "en")).toContain(`>${english}</time>`);
    expect(await renderTime(value, "UTC", "fr")).toContain(`>${french}</time>`);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["Europe/Paris", "Europe/Paris"],
  ["Pacific/Auckland", "Pacific/Auckland"],
  ["europe/paris", "Europe/Paris"],
  ["US/Eastern", "America/New_York"],
  [undefined, "UTC"],
  ["", "UTC"],
  ["UTC", "UTC"],
  ["+05:30", "UTC"],
  ["Mars/Olympus", "UTC"],
  ["../../etc/passwd", "UTC"],
  ["x".repeat(40), "UTC"],
])("the cookie %j means %s", (cookie, zone) => {
  expect(readerZone(cookie)).toBe(zone);
});

// A list's column on a phone holds 104 px: "il y a 46 minutes" lost its end.
test("a list writes minutes and hours short", async () => {
  const earlier = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  expect(await renderTime(earlier(46), "UTC", "fr", DateCell)).toMatch(/>il y a 46\smin</);
  expect(await renderTime(earlier(46), "UTC", "en", DateCell)).toMatch(/>46\smin\. ago</);
  expect(await renderTime(earlier(180), "UTC", "fr", DateCell)).toMatch(/>il y a 3\sh</);
});
