// Owns the client's address: which proxies are trusted in X-Forwarded-For, and which hop is the client. Pure, and the one rule for the
// functions and the web server. Does not count anything.
import ipaddr from "ipaddr.js";

export type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The web server and the gateway run on the same machine as the functions. */
const ownMachine = ["127.0.0.0/8", "::1/128"].map((range) => ipaddr.parseCIDR(range));

/**
 * Parses TRUSTED_PROXIES: addresses and CIDR ranges, comma-separated.
 * @throws Error naming an entry that is neither
 */
export function readRanges(text: string): Range[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => {
      if (ipaddr.isValidCIDR(one)) return ipaddr.parseCIDR(one);
      const address = parse(one);
      if (!address) throw new Error(`${one} is neither an IP address nor a CIDR range.`);
      return [address, address.kind() === "ipv4" ? 32 : 128] as Range;
    });
}

/**
 * The client's address: from the right, the first hop that is not a trusted proxy. Hops to its left are written by the client and never
 * read.
 * @param hops X-Forwarded-For, followed by the connection's peer if known
 * @param proxies trusted in addition to this machine
 * @returns undefined if the last hop is not an address
 */
export function clientAddress(hops: string[], proxies: Range[] = []): string | undefined {
  const trusted = [...ownMachine, ...proxies];
  let client: string | undefined;
  for (const hop of hops.toReversed()) {
    const address = parse(hop);
    if (!address) return client;
    client = address.toString();
    if (!trusted.some((range) => holds(range, address))) return client;
  }
  return client;
}

export const hopsOf = (forwardedFor: string | null | undefined): string[] =>
  (forwardedFor ?? "").split(",").filter((hop) => hop.trim() !== "");

/** True for an address in a private network: a proxy, or the machine's own programs, which stand for many people or none. */
export function isPrivate(address: string): boolean {
  const range = parse(address)?.range();
  return range !== undefined && ["private", "loopback", "linkLocal", "uniqueLocal"].includes(range);
}

/** The network that limits count. For IPv6 it is the /64, because one client has at least that. */
export function networkOf(address: string): string {
  const parsed = parse(address);
  if (parsed?.kind() !== "ipv6") return address;
  const bytes = parsed.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}

/** Parses an address, optionally with a port or brackets as some proxies write it. IPv4-mapped IPv6 becomes IPv4. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, bracketed, dotted] = /^\s*(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)\s*$/.exec(text) ?? [];
  const bare = bracketed ?? dotted ?? text.trim();
  // Proxies do not write shortened forms such as 127.1.
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function holds([network, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  // The package's types distinguish the two kinds only one at a time.
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
