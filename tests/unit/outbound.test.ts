// Where the server may connect for a user: allowed addresses, and handling of names, redirects and sizes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPublicAddress } from "../../edge-functions/_shared/outbound/addresses.ts";
import { checkAddress, isAllowedPlace, send } from "../../edge-functions/_shared/outbound/outbound.ts";
import { retryAfterMs } from "../../edge-functions/_shared/outbound/retry.ts";
import fc from "../support/property-cases.ts";

const toDotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");

describe("an address", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "223.255.255.255",
  ])("%s is open", (address) => expect(isPublicAddress(address)).toBe(true));
  it.each([
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254", "172.16.0.1"],
    ...[
      "172.31.255.255",
      "192.0.0.8",
      "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255",
      "224.0.0.1",
      "255.255.255.255",
    ],
    ...["::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1", "64:ff9b:1::1", "100::1"],
    ...["2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fe80::1%eth0"],
    ...[
      "",
      "localhost",
      "1.2.3",
      "1.2.3.4.5",
      "256.1.1.1",
      "01.2.3.4567",
      ":::",
      "1::2::3",
      "12345::",
      "g::1",
    ],
    // IPv4-compatible addresses, which libraries read as mapped ones; octal and hexadecimal IPv4.
    ...["::8.8.8.8", "::0x8.8.8.8", "010.8.8.8", "0x8.8.8.8", "::ffff:0x8.8.8.8"],
  ])("%s is forbidden", (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:80b::200e"])(
    "%s is open",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it("of IPv4 is judged the same inside IPv6, mapped or behind NAT64, in any notation", () => {
    const law = fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (value) => {
      const plain = isPublicAddress(toDotted(value));
      const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
      for (const prefix of ["::ffff:", "0:0:0:0:0:FFFF:", "64:ff9b::"]) {
        expect(isPublicAddress(prefix + toDotted(value))).toBe(plain);
        expect(isPublicAddress(prefix + hex)).toBe(plain);
      }
    });
    fc.assert(law);
  });

  it("of IPv6 is open only as global unicast", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const law = fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const [first = 0] = groups;
      fc.pre(first >> 13 !== 1 && first !== 0 && first !== 0x64);
      expect(isPublicAddress(groups.map((one) => one.toString(16)).join(":"))).toBe(false);
    });
    fc.assert(law);
  });
});

describe("a URL", () => {
  const isRefused = (url: string, allowed = "") => {
    try {
      checkAddress(new URL(url), allowed);
      return false;
    } catch {
      return true;
    }
  };
  it.each([
    "http://example.com",
    "ftp://example.com",
    "file:///etc/passwd",
    "https://user:secret@example.com",
    "https://localhost",
    "https://db.internal",
    "https://printer.local",
    "https://127.1",
    "https://2130706433",
    "https://0x7f.0.0.1",
    "https://0177.0.0.1",
    "https://[::1]",
    "https://[::ffff:10.0.0.1]",
    "https://169.254.169.254/latest/meta-data",
  ])("%s is rejected", (url) => expect(isRefused(url)).toBe(true));
  it("of the internet is accepted", () => {
    expect(isRefused("https://acme.atlassian.net/rest")).toBe(false);
    expect(isRefused("https://8.8.8.8:8443")).toBe(false);
  });
  it("is allowed by its host and port", () => {
    const allowed = "jira.internal:8080, 127.0.0.1:9000";
    expect(isRefused("http://jira.internal:8080/x", allowed)).toBe(false);
    expect(isRefused("http://JIRA.internal:8081/x", allowed)).toBe(true);
    expect(isRefused("http://127.0.0.1:9000", allowed)).toBe(false);
    expect(isAllowedPlace(new URL("https://a.example"), "a.example:443")).toBe(true);
    expect(isAllowedPlace(new URL("https://a.example"), "")).toBe(false);
  });
});

describe("a call", () => {
  let url: string;
  const server = createServer((request, response) => {
    if (request.url === "/away") return void response.writeHead(302, { location: "/" }).end();
    if (request.url === "/large") return void response.end("x".repeat(5000));
    if (request.url === "/silent") return;
    response.end(JSON.stringify({ host: request.headers.host }));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(process.env, {
      DATABASE_URL: "postgres://none",
      SUPABASE_URL: "http://127.0.0.1:1",
      SUPABASE_ANON_KEY: "anon",
      SUPABASE_SERVICE_ROLE_KEY: "service",
      WEB_URL: "http://127.0.0.1:2",
      SECRETS_KEY: "x".repeat(32),
      PARLEY_OUTBOUND_ALLOW: new URL(url).host,
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("returns the answer, and follows no redirect", async () => {
    expect(await send(new URL(url))).toMatchObject({
      status: 200,
      text: JSON.stringify({ host: new URL(url).host }),
    });
    expect((await send(new URL("/away", url))).status).toBe(302);
  });
  it("ends on too many bytes, on silence, and on abort", async () => {
    await expect(send(new URL("/large", url), { maxBytes: 1000 })).rejects.toMatchObject({
      problem: "too_large",
    });
    await expect(send(new URL("/silent", url), { timeoutMs: 50 })).rejects.toMatchObject({
      problem: "timed_out",
    });
    const reason = new Error("stopped");
    const call = new AbortController();
    const silent = send(new URL("/silent", url), { signal: call.signal });
    call.abort(reason);
    await expect(silent).rejects.toBe(reason);
  });
  it("is refused for a name that resolves to this machine", async () => {
    // Resolves to a loopback address wherever the tests run, and is no literal that could be checked before.
    await expect(send(new URL("https://localhost.localdomain"))).rejects.toMatchObject({
      name: "OutboundError",
    });
  });
});

describe("Retry-After", () => {
  const of = (headers: Record<string, string>) => retryAfterMs(new Headers(headers));
  it("is seconds, or a date by the service's own clock", () => {
    expect(of({ "retry-after": "2" })).toBe(2000);
    const date = "Wed, 21 Oct 2026 07:28:00 GMT";
    expect(of({ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date })).toBe(30_000);
    expect(of({ "retry-after": "Wed, 21 Oct 2026 07:00:00 GMT", date })).toBe(0);
    expect(of({})).toBeUndefined();
    expect(of({ "retry-after": "soon" })).toBeUndefined();
  });
});
