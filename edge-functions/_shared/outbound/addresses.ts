// Owns which IP addresses a server may connect to for a user: public internet addresses only. Pure.
// Sources: the IANA special-purpose registries of IPv4 and IPv6 (RFC 6890 and its updates).

/** IPv4 blocks that are private, local, shared, reserved or for documentation. */
const closedV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map(blockV4);

/** Of IPv6 only global unicast, 2000::/3, is allowed, without these blocks. */
const closedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(blockV6);
const globalUnicast = blockV6("2000::/3");
/** IPv6 blocks that embed an IPv4 address in their last 32 bits: mapped addresses, and NAT64's well-known prefix. */
const carriersOfV4 = ["::ffff:0:0/96", "64:ff9b::/96"].map(blockV6);

/** True for the text of a public internet address. False for any text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const v4 = parseV4(address);
  if (v4 !== undefined) return isPublicV4(v4);
  const v6 = parseV6(address);
  if (v6 === undefined) return false;
  if (carriersOfV4.some((block) => block.holds(v6))) return isPublicV4(Number(v6 & 0xffff_ffffn));
  return globalUnicast.holds(v6) && !closedV6.some((block) => block.holds(v6));
}

function isPublicV4(value: number): boolean {
  return !closedV4.some((block) => block.holds(value));
}

/** Parses dotted decimal only: the URL parser normalizes a URL's host to this form. */
function parseV4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((value, part) => value * 256 + part, 0);
}

/** Rejects a zone: an address with one is link-local. */
function parseV6(text: string): bigint | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted?.[2] === undefined ? undefined : parseV4(dotted[2]);
  if (dotted && tail === undefined) return undefined;
  const plain =
    tail === undefined ? text : `${dotted?.[1]}${(tail >>> 16).toString(16)}:${(tail & 0xffff).toString(16)}`;
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - rest.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<string>(Math.max(0, missing)).fill("0"), ...rest];
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((value, group) => value * 0x1_0000n + BigInt(`0x${group}`), 0n);
}

function blockV4(text: string) {
  const [address = "", bits = ""] = text.split("/");
  const size = 2 ** (32 - Number(bits));
  const start = parseV4(address) ?? Number.NaN;
  return { holds: (value: number) => value >= start && value < start + size };
}

function blockV6(text: string) {
  const [address = "", bits = ""] = text.split("/");
  const shift = 128n - BigInt(bits);
  const prefix = (parseV6(address) ?? -1n) >> shift;
  return { holds: (value: bigint) => value >> shift === prefix };
}
