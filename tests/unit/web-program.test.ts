// Names of browsers and programs in the list of sessions.
import { expect, test } from "vitest";
import { programOf } from "../../web/pages/account/program.ts";

const mozilla = (system: string, rest: string) => `Mozilla/5.0 (${system}) ${rest}`;
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [
    mozilla("Macintosh; Intel Mac OS X 10_15_7", `${webkit} Chrome/130.0 Safari/537.36`),
    "Chrome",
    "macOS",
    false,
  ],
  [mozilla("X11; Linux x86_64", `${webkit} HeadlessChrome/130.0 Safari/537.36`), "Chrome", "Linux", false],
  [
    mozilla("Windows NT 10.0; Win64; x64", `${webkit} Chrome/130.0 Safari/537.36 Edg/130.0`),
    "Edge",
    "Windows",
    false,
  ],
  [
    mozilla("iPhone; CPU iPhone OS 18_0 like Mac OS X", "Version/18.0 Mobile/15E148 Safari/604.1"),
    "Safari",
    "iPhone",
    true,
  ],
  [mozilla("Android 15; Mobile; rv:131.0", "Gecko/131.0 Firefox/131.0"), "Firefox", "Android", true],
  ["curl/8.5.0", "curl", "", false],
  ["node", "node", "", false],
  ["", "", "", false],
])("%s", (agent, browser, system, mobile) => {
  expect(programOf(agent)).toEqual({ browser, system, mobile });
});
