// Owns the connections to addresses that users name. An idle one stays open for the next call to the same place, which saves its look-up
// and TLS handshake; it leads to the address that was checked when it was opened. Does not know what a call carries.
import { type LookupAddress, lookup } from "node:dns";
import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { sentenceOf } from "../text/sentences.ts";
import { isPublicAddress } from "./addresses.ts";
import { OutboundError } from "./outbound-error.ts";

/** How a call connects, as options of node:http. */
interface Route {
  agent: HttpAgent | false;
  lookup?: typeof checkedLookup;
}

/** @param isFresh true for a connection of its own. @param isAllowed true for a place that may have any address */
export type Router = (url: URL, isAllowed: boolean, isFresh: boolean) => Route;

/** @param idleMs an idle connection is closed after this time. @returns the choice of a connection per call */
export function makeConnections(idleMs: number): Router {
  const options = { keepAlive: true, timeout: idleMs, maxFreeSockets: 4 };
  const makeAgents = () => ({ "http:": new HttpAgent(options), "https:": new HttpsAgent(options) });
  // Apart, because the addresses of allowed places are not checked.
  const [allowed, checked] = [makeAgents(), makeAgents()];
  return (url, isAllowed, isFresh) => {
    const agents = isAllowed ? allowed : checked;
    return {
      agent: !isFresh && agents[url.protocol === "https:" ? "https:" : "http:"],
      ...(!isAllowed && { lookup: checkedLookup }),
    };
  };
}

/** True when the service closed an idle connection at the moment of the call, so that the call got no answer. */
export const isOutdated = (call: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  call.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");

/** Fails a call whose service changes the protocol, which no call asks for. Deno would never end such a call, not even at its time limit. */
export function failAtUpgrade(call: ClientRequest, fail: (error: Error) => void): void {
  call.on("upgrade", (_answer, socket) => {
    socket.destroy();
    fail(unusableStatus(101));
  });
}

export const unusableStatus = (status: number): Error =>
  new Error(`the service answered with the status ${status}`);

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Looks up a host and connects only to the checked addresses, so that a second DNS answer has no effect. */
export function checkedLookup(host: string, options: { all?: boolean }, found: Found): void {
  lookup(host, { all: true }, (error, addresses) => {
    if (error) return found(error, "");
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return found(new OutboundError("forbidden", sentenceOf("notPublic", { host })), "");
    if (options.all) found(null, addresses);
    else found(null, first.address, first.family);
  });
}
