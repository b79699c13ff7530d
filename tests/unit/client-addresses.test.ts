import { describe, expect, test } from "vitest";
import { clientAddresses, hitsOf, limits } from "../../edge-functions/_shared/limits.ts";

const addresses = (forwardedFor?: string) => clientAddresses(forwardedFor).map(({ address }) => address);

describe("whose address a call counts for", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["203.0.113.7", ["203.0.113.7"]],
    // What a client writes before the gateway's own hop changes nothing.
    ["1.2.3.4, 203.0.113.7", ["203.0.113.7"]],
    ["1.2.3.4, 5.6.7.8, 203.0.113.7", ["203.0.113.7"]],
    // The web server is in our own network: it says for whom it asks.
    ["203.0.113.7, 127.0.0.1", ["127.0.0.1", "203.0.113.7"]],
    ["9.9.9.9, 203.0.113.7, 10.0.0.4", ["10.0.0.4", "203.0.113.7"]],
    ["203.0.113.7, ::1", ["::1", "203.0.113.7"]],
    ["127.0.0.1, 127.0.0.1", ["127.0.0.1"]],
    ["::ffff:203.0.113.7", ["203.0.113.7"]],
    ["2001:db8::1", ["2001:db8::1"]],
    ["' or 1=1", []],
    ["nonsense, 127.0.0.1", ["127.0.0.1"]],
  ])("%s", (header, expected) => {
    expect(addresses(header)).toEqual(expected);
  });

  test("many may stand behind an address of a private network, one behind a public one", () => {
    const max = (header: string) => hitsOf("login", clientAddresses(header)).map((hit) => hit.max);
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

test("the key of an e-mail is the same in any case, and does not hold it", () => {
  const [one] = hitsOf("login", [], "Ada@Example.com");
  const [other] = hitsOf("login", [], "ada@example.com");
  expect(one).toEqual(other);
  expect(one?.key).not.toMatch(/ada/i);
  expect(hitsOf("mail", [], "ada@example.com")[0]?.key).not.toBe(one?.key);
});
