// react-query for the islands and parts that declare it: one client per browser, one per render on the server.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Seed } from "../render/island-root.tsx";

const NONE: Seed[] = [];

let shared: QueryClient | undefined;

function clientHere(): QueryClient {
  const create = () =>
    new QueryClient({
      defaultOptions: { queries: { staleTime: 5_000, refetchOnWindowFocus: true, retry: 1 } },
    });
  // On the server a shared client would show one person's data to the next.
  if (typeof window === "undefined") return create();
  shared ??= create();
  return shared;
}

/** The client for `useQuery` below it, with the data of `seed`. */
export function Queries({ seed = NONE, children }: { seed?: Seed[]; children: ReactNode }) {
  const put = (here: QueryClient) => {
    for (const { key, data } of seed) here.setQueryData(key, data);
    return here;
  };
  const [client] = useState(() => put(clientHere()));
  const first = useRef(seed);
  // The page was loaded again: its seed is newer.
  useEffect(() => {
    if (first.current !== seed) put(client);
    first.current = seed;
  });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
