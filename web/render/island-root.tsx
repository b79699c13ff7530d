// An island's element, identical on the server and in the browser so that hydration matches.
import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useState } from "react";

/** JSON that an island accepts as props. Functions, dates and elements cannot be sent to the browser. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

/** Server state that an island starts with: react-query's key and its data. */
export interface Seed {
  key: Json[];
  data: Json;
}

/**
 * An island's component. `namespaces` lists the translations that it reads. One that uses react-query sets `provider`
 * to `Queries`.
 */
export type IslandComponent<Props = Record<string, Json>> = ComponentType<Props> & {
  namespaces?: string[];
  /** Stays mounted when the address's query changes, and gets the new page's props. Others restart. */
  stays?: boolean;
  provider?: ComponentType<{ seed: Seed[]; children: ReactNode }>;
};

export interface IslandRootProps {
  component: IslandComponent;
  props: Record<string, Json>;
  seed: Seed[];
  /** Called once, when the island is in the page, and before its own effects. */
  onMount?: () => void;
  /** Called once, when what the island's own effects have changed is shown. */
  onReady?: () => void;
}

export function IslandRoot({ component: Component, props, seed, onMount, onReady }: IslandRootProps) {
  const { provider: Provider } = Component;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first render is a mount
  useLayoutEffect(() => onMount?.(), []);
  const island = <Component {...props} />;
  return (
    <>
      {Provider ? <Provider seed={seed}>{island}</Provider> : island}
      <Ready onReady={onReady} />
    </>
  );
}

/** Its own state changes together with the island's first changes. */
function Ready({ onReady }: Pick<IslandRootProps, "onReady">) {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once
  useEffect(() => {
    if (isReady) onReady?.();
  }, [isReady]);
  return null;
}
