// Owns the socket to Postgres: the statements of one turn of the event loop leave in one piece. Must not know the protocol.
import { Socket } from "node:net";

type Written = (error?: Error | null) => void;

/** postgres.js 3.4.9 writes at once when it holds so many bytes, and what is shorter at the end of the turn. */
const early = 1024;

/**
 * A longer statement would leave before the commit that follows it in the same turn: two writes, two batches of the embedded Postgres, and
 * two reads. So an early write waits for the one at the end of the turn, or for the next turn when there is none. A TLS connection wraps
 * this socket and writes as before.
 */
function gatherWrites(socket: Socket): Socket {
  const write = socket.write.bind(socket);
  const send = () => {
    if (socket.writableCorked > 0) socket.uncork();
  };
  // Replaced on the object, and once it is connecting: Node's connect() undoes the method of a class.
  return Object.assign(socket, {
    write(data: string | Uint8Array, written?: Written): boolean {
      const isEarly = data.length >= early && !written;
      if (isEarly && socket.writableCorked === 0) {
        socket.cork();
        setImmediate(() => setImmediate(send));
      }
      const isReady = write(data, written);
      if (!isEarly) send();
      return isReady;
    },
  });
}

let tried = 0;

type Addresses = { host: string[]; port: number[]; path?: string | false };

/** As the driver's own socket: the next host of several at each call. The driver reads `host` for the name in a certificate. */
export function openSocket({ host: hosts, port: ports, path }: Addresses): Socket {
  const socket = new Socket();
  if (path) return gatherWrites(socket.connect(path));
  const at = tried++ % ports.length;
  const [host, port] = [hosts[at], ports[at] ?? 0];
  return Object.assign(gatherWrites(socket.connect({ host, port })), { host, port });
}
