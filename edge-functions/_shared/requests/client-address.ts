// Owns whose address a request comes from: which proxies are believed in X-Forwarded-For, and which hop is the client. Pure, and
// the one rule for the functions and the web server. Does not count anything.
import ipaddr from "ipaddr.js";

export type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The web server and the gateway run beside the functions on one machine. */
const ownMachine = ["127.0.0.0/8", "::1/128"].map((range) => ipaddr.parseCIDR(range));

/**
 * TRUSTED_PROXIES: addresses and CIDR ranges, separated by commas.
 * @throws Error naming what is neither
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
 * The address of whoever sent a request: from the right, the first hop that is no trusted proxy. What stands left of it is the
 * client's own word and never read.
 * @param hops X-Forwarded-For, with the connection's own peer at the end where there is one
 * @param proxies trusted beside this machine
 * @returns undefined where the last hop is no address
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

/** Whether an address is of a private network: there stand a proxy or the machine's own programs, many people or none. */
export function isPrivate(address: string): boolean {
  const range = parse(address)?.range();
  return range !== undefined && ["private", "loopback", "linkLocal", "uniqueLocal"].includes(range);
}

/** What limits count an address by: whoever has one address of IPv6 has at least the /64 around it. */
export function networkOf(address: string): string {
  const parsed = parse(address);
  if (parsed?.kind() !== "ipv6") return address;
  const bytes = parsed.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}

/** An address, with the port or the brackets that some proxies write; IPv4 in IPv6's clothes is IPv4. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, bracketed, dotted] = /^\s*(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)\s*$/.exec(text) ?? [];
  const bare = bracketed ?? dotted ?? text.trim();
  // Shorter forms, such as 127.1, are nothing that a proxy writes.
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function holds([network, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  // The package's types tell the two kinds apart only one by one.
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
