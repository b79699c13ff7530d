// What an island is, equal on the server and in the browser so that hydration matches.
import type { ComponentType, ReactNode } from "react";

/** JSON that an island may take. Functions, dates and elements do not cross to the browser. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

/** Server state an island starts with: react-query's key and the data under it. */
export interface Seed {
  key: Json[];
  data: Json;
}

/** An island's component. `namespaces` lists the translations that it reads; one that uses react-query names `Queries`. */
export type IslandComponent<Props = Record<string, Json>> = ComponentType<Props> & {
  namespaces?: string[];
  /** It stays when the address's query changes, and gets the new page's props. Others begin anew. */
  stays?: boolean;
  provider?: ComponentType<{ seed: Seed[]; children: ReactNode }>;
};

export interface IslandRootProps {
  component: IslandComponent;
  props: Record<string, Json>;
  seed: Seed[];
}

export function IslandRoot({ component: Component, props, seed }: IslandRootProps) {
  const { provider: Provider } = Component;
  const island = <Component {...props} />;
  return Provider ? <Provider seed={seed}>{island}</Provider> : island;
}
