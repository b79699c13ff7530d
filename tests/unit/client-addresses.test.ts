// The client's address behind proxies, and the network that limits count.
import { describe, expect, test } from "vitest";
import {
  clientAddress,
  networkOf,
  readRanges,
} from "../../edge-functions/_shared/requests/client-address.ts";
import { clientAddresses, hitsOf, limits } from "../../edge-functions/_shared/requests/limits.ts";

const proxies = readRanges("10.0.0.0/8, 198.51.100.7,2001:db8:1::/48");
const addresses = (forwardedFor?: string, trusted = readRanges("")) =>
  clientAddresses(forwardedFor, trusted).map(({ address }) => address);

describe("the client address of a call", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["203.0.113.7", ["203.0.113.7"]],
    // Entries before the gateway's own hop come from the client and change nothing.
    ["1.2.3.4, 203.0.113.7", ["203.0.113.7"]],
    ["127.0.0.1, 203.0.113.7", ["203.0.113.7"]],
    ["1.2.3.4, 5.6.7.8, 203.0.113.7", ["203.0.113.7"]],
    // The web server is on this machine: it names its client, and is counted itself, since any local program can send that header.
    ["203.0.113.7, 127.0.0.1", ["203.0.113.7", "127.0.0.1"]],
    ["203.0.113.7, ::1", ["203.0.113.7", "::1"]],
    ["9.9.9.9, 203.0.113.7, 127.0.0.1, 127.0.0.1", ["203.0.113.7", "127.0.0.1"]],
    ["127.0.0.1, 127.0.0.1", ["127.0.0.1"]],
    // A private address is a proxy only if configured.
    ["203.0.113.7, 10.0.0.4", ["10.0.0.4"]],
    ["::ffff:203.0.113.7", ["203.0.113.7"]],
    ["2001:db8::1", ["2001:db8::1"]],
    ["203.0.113.7:4711", ["203.0.113.7"]],
    ["[2001:db8::1]:4711", ["2001:db8::1"]],
    ["' or 1=1", []],
    ["nonsense, 127.0.0.1", ["127.0.0.1"]],
    ["0x7f.1", []],
  ])("%s", (header, expected) => {
    expect(addresses(header)).toEqual(expected);
  });

  test.each([
    ["203.0.113.7, 10.0.0.4", ["203.0.113.7"]],
    ["203.0.113.8, 10.0.0.4", ["203.0.113.8"]],
    ["203.0.113.7, 198.51.100.7, 10.0.0.4, 127.0.0.1", ["203.0.113.7"]],
    // Spoofed: only the hop before the last proxy is the client.
    ["1.1.1.1, 203.0.113.7, 10.0.0.4", ["203.0.113.7"]],
    ["10.0.0.9, 203.0.113.7, 10.0.0.4", ["203.0.113.7"]],
    ["nonsense, 10.0.0.4", ["10.0.0.4"]],
    ["203.0.113.7, 198.51.100.8", ["198.51.100.8"]],
    ["2001:db8:2::5, 2001:db8:1::9", ["2001:db8:2::5"]],
    // Only proxies: the outermost of them.
    ["10.0.0.5, 10.0.0.4", ["10.0.0.5"]],
    ["127.0.0.1", ["127.0.0.1"]],
  ])("behind configured proxies, %s", (header, expected) => {
    expect(addresses(header, proxies)).toEqual(expected);
  });

  test("is the peer's without forwarding", () => {
    expect(clientAddress(["203.0.113.7", "198.51.100.9"])).toBe("198.51.100.9");
    expect(clientAddress(["203.0.113.7", "127.0.0.1"])).toBe("203.0.113.7");
    expect(clientAddress(["203.0.113.7", ""])).toBeUndefined();
  });

  test("is the network's in IPv6, where one person has many addresses", () => {
    expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
    const [one] = hitsOf("login", clientAddresses("2001:db8:1:2::a", []));
    expect(hitsOf("login", clientAddresses("2001:db8:1:2:ffff::b", []))).toEqual([one]);
  });

  test.each(["10.0.0.0/33", "localhost", "10.0.0", "*", "10.0.0.1;10.0.0.2"])(
    "%s cannot be configured as a proxy",
    (text) => expect(() => readRanges(text)).toThrow(text.split(";")[0]),
  );

  test("a private address may stand for many clients, a public one for one", () => {
    const max = (header: string) => hitsOf("login", clientAddresses(header, [])).map((hit) => hit.max);
    expect(max("203.0.113.7")).toEqual([limits.login.perAddress]);
    for (const shared of [
      "127.0.0.1",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "::1",
      "fd12::1",
      "fe80::1",
    ]) {
      expect(max(shared)).toEqual([limits.login.perAddress * 20]);
    }
    expect(max("172.32.0.1")).toEqual([limits.login.perAddress]);
  });
});

test("an email's key ignores case and does not reveal the email", () => {
  const [one] = hitsOf("login", [], "Ada@Example.com");
  const [other] = hitsOf("login", [], "ada@example.com");
  expect(one).toEqual(other);
  expect(one?.key).not.toMatch(/ada/i);
  expect(hitsOf("mail", [], "ada@example.com")[0]?.key).not.toBe(one?.key);
});
