// Moments are written in the zone of whoever reads them, which their browser tells by a cookie that anybody may forge.
import { createInstance } from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TimeZone } from "../../web/browser/time-zone.ts";
import { DateTime } from "../../web/components/DateTime.tsx";
import { I18nextProvider } from "../../web/renderer/server-translations.tsx";
import { readerZone } from "../../web/server/reader-zone.ts";

async function written(value: string, timeZone: string, lng: string): Promise<string> {
  const i18n = createInstance();
  await i18n.init({ lng, resources: { [lng]: { app: {} } } });
  return renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <TimeZone value={timeZone}>
        <DateTime value={value} />
      </TimeZone>
    </I18nextProvider>,
  );
}

test("a moment is of the reader's day, and says its zone", async () => {
  const moment = "2026-03-01T02:30:00.000Z";
  expect(await written(moment, "America/New_York", "en")).toMatch(
    /title="February 28, 2026[^"]*9:30\sPM EST".*>Feb 28, 2026</,
  );
  expect(await written(moment, "Europe/Paris", "fr")).toMatch(
    /title="1 mars 2026[^"]*03:30 (UTC|GMT)\+1".*>1 mars 2026</,
  );
  expect(await written(moment, "UTC", "en")).toMatch(/title="March 1, 2026[^"]*2:30\sAM UTC".*>Mar 1, 2026</);
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
