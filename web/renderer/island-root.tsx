// What stands around each island, equal on the server and in the browser so that hydration matches.
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { i18n } from "i18next";
import type { ComponentType } from "react";
import { I18nextProvider } from "react-i18next";

/** JSON that an island may take. Functions, dates and elements do not cross to the browser. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

/** Server state an island starts with: react-query's key and the data under it. */
export interface Seed {
  key: Json[];
  data: Json;
}

/** An island's component. `namespaces` lists the translations that it reads. */
export type IslandComponent<Props = Record<string, Json>> = ComponentType<Props> & { namespaces?: string[] };

export interface IslandRootProps {
  component: IslandComponent;
  props: Record<string, Json>;
  i18n: i18n;
  queries: QueryClient;
}

export function IslandRoot({ component: Component, props, i18n, queries }: IslandRootProps) {
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <Component {...props} />
      </QueryClientProvider>
    </I18nextProvider>
  );
}
