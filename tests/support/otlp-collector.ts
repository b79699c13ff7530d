// Owns a fake OpenTelemetry collector: accepts traces as OTLP/JSON over HTTP and stores their spans.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Span {
  service: string;
  name: string;
  /** 2 for a served request, 3 for an outgoing call. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, string>;
}

export interface Collector {
  url: string;
  spans: Span[];
  /** Everything received, unparsed. */
  readAll(): string;
  close(): void;
}

type Attributes = { key: string; value: Record<string, unknown> }[];
const read = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));

export async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  let received = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url === "/v1/traces") {
      received += body;
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        const service = read(resource.attributes)["service.name"] ?? "";
        for (const span of scopeSpans.flatMap((scope: { spans: unknown[] }) => scope.spans)) {
          const { name, kind, traceId, spanId, parentSpanId = "" } = span;
          spans.push({
            service,
            name,
            kind,
            traceId,
            spanId,
            parentSpanId,
            attributes: read(span.attributes),
          });
        }
      }
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    readAll: () => received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
