// The nine layouts by name. A page picks one with `layout` in its +config.ts.
import type { ReactNode } from "react";
import { AccountLayout } from "./AccountLayout.tsx";
import { AuthLayout } from "./AuthLayout.tsx";
import { ChatLayout } from "./ChatLayout.tsx";
import { ContentLayout } from "./ContentLayout.tsx";
import { DashboardLayout } from "./DashboardLayout.tsx";
import { DefaultLayout } from "./DefaultLayout.tsx";
import { HomeLayout } from "./HomeLayout.tsx";
import { PlaygroundLayout } from "./PlaygroundLayout.tsx";
import { TeamsLayout } from "./TeamsLayout.tsx";

export const layouts = {
  content: ContentLayout,
  default: DefaultLayout,
  home: HomeLayout,
  auth: AuthLayout,
  teams: TeamsLayout,
  account: AccountLayout,
  chat: ChatLayout,
  dashboard: DashboardLayout,
  playground: PlaygroundLayout,
} satisfies Record<string, () => ReactNode>;

export type LayoutName = keyof typeof layouts;
