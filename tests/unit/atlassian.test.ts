// Hosts that get an Atlassian token: the site, and Atlassian's gateway for cloud sites. No others, whatever a site answers.
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { atlassianSite, basicLogin } from "../../edge-functions/indexing/connectors/atlassian.ts";

const cloudId = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
let calls: [string, string | undefined][] = [];
let answers: (url: URL) => { status: number; body: unknown };
vi.mock("../../edge-functions/_shared/outbound/outbound.ts", () => ({
  isAllowedPlace: () => false,
  send: async (url: URL, { headers = {} }: { headers?: Record<string, string> }) => {
    calls.push([url.href, headers.authorization]);
    const { status, body } = answers(url);
    return { status, headers: new Headers(), bytes: new Uint8Array(), text: JSON.stringify(body) };
  },
}));

let tokens = 0;
function siteAt(site: string) {
  const headers = basicLogin({ email: "ada@acme.example", apiToken: `token-${tokens++}` });
  const service = {
    name: "Jira",
    renew: "",
    signal: new AbortController().signal,
    addresses: [site],
    headers,
  };
  const product = { product: "jira" as const, scopes: ["read:jira-work"], scopeOf: () => "read:jira-work" };
  const ask = () => atlassianSite(service, site, product).json("/rest/api/3/myself", { schema: z.unknown() });
  return { ask, token: headers.authorization };
}
beforeEach(() => {
  calls = [];
});

test("a cloud site is called first, then the gateway, and from then on the gateway only", async () => {
  answers = ({ host, pathname }) => {
    if (pathname === "/_edge/tenant_info") return { status: 200, body: { cloudId } };
    return { status: host === "api.atlassian.com" ? 200 : 401, body: {} };
  };
  const { ask, token } = siteAt("https://acme.atlassian.net");
  await ask();
  await ask();
  const gateway = `https://api.atlassian.com/ex/jira/${cloudId}/rest/api/3/myself`;
  expect(calls).toEqual([
    ["https://acme.atlassian.net/rest/api/3/myself", token],
    ["https://acme.atlassian.net/_edge/tenant_info", undefined],
    [gateway, token],
    [gateway, token],
  ]);
});

test.each([
  "https://jira.acme.example",
  "https://acme.atlassian.net.evil.example",
  "https://evilatlassian.net",
])("the token of %s stays there", async (site) => {
  answers = () => ({ status: 401, body: { cloudId } });
  const { ask } = siteAt(site);
  await expect(ask()).rejects.toThrow("does not accept these credentials");
  expect(calls.map(([url]) => url)).toEqual([`${site}/rest/api/3/myself`]);
});
