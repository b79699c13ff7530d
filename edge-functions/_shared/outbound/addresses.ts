// Owns which IP addresses a server may connect to for a user: public internet addresses only. Pure.
// Sources: the IANA special-purpose registries of IPv4 and IPv6 (RFC 6890 and its updates). The blocks are listed here because the
// package's own ranges follow the registries later.
import ipaddr from "ipaddr.js";

const v4 = (block: string) => ipaddr.IPv4.parseCIDR(block);
const v6 = (block: string) => ipaddr.IPv6.parseCIDR(block);

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
].map(v4);

/** IPv6 blocks that are closed. Otherwise only global unicast, 2000::/3, is allowed. */
const closedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(v6);
const globalUnicast = v6("2000::/3");
/** IPv6 blocks that embed an IPv4 address in their last 32 bits: mapped addresses, and NAT64's well-known prefix. */
const carriersOfV4 = ["::ffff:0:0/96", "64:ff9b::/96"].map(v6);

/** True for the text of a public internet address. False for any text that is not an address. */
export function isPublicAddress(text: string): boolean {
  // The URL parser normalizes a URL's host to dotted decimal, so the package's other notations of IPv4 are no addresses here.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicV4(ipaddr.IPv4.parse(text));
  // An address with a zone is link-local.
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return false;
  const [, head, dotted] = /^(.+):([^:]*\..*)$/.exec(text) ?? [];
  // The package reads the obsolete ::8.8.8.8 as ::ffff:8.8.8.8, which is another address.
  if (dotted !== undefined && (head === ":" || !ipaddr.IPv4.isValidFourPartDecimal(dotted))) return false;
  const address = ipaddr.IPv6.parse(text);
  if (carriersOfV4.some((block) => address.match(block)))
    return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(globalUnicast) && !closedV6.some((block) => address.match(block));
}

const isPublicV4 = (address: ipaddr.IPv4): boolean => !closedV4.some((block) => address.match(block));
