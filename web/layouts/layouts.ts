// The nine layouts by name, and the widget's frame. A page selects one with `layout` in its +config.ts.
import type { ReactNode } from "react";
import { AccountLayout } from "./AccountLayout.tsx";
import { AuthLayout } from "./AuthLayout.tsx";
import { ChatLayout } from "./ChatLayout.tsx";
import { ContentLayout } from "./ContentLayout.tsx";
import { DashboardLayout } from "./DashboardLayout.tsx";
import { DefaultLayout } from "./DefaultLayout.tsx";
import { FrameLayout } from "./FrameLayout.tsx";
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
  frame: FrameLayout,
} satisfies Record<string, () => ReactNode>;

export type LayoutName = keyof typeof layouts;
