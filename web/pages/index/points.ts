// The lists on the landing page, in order; the texts are in locales/*/home.json under the same keys.
import {
  BookOpenCheck,
  CircleHelp,
  FileText,
  GitBranch,
  Globe,
  HardDrive,
  type LucideIcon,
  MessageSquare,
  NotebookText,
  PanelBottom,
  Quote,
  ShieldCheck,
  ShoppingBag,
  SquareKanban,
  Terminal,
  UsersRound,
} from "lucide-react";

export interface HomePoint {
  key: string;
  icon: LucideIcon;
  href?: string;
}

export const promises: HomePoint[] = [
  { key: "quoted", icon: Quote },
  { key: "honest", icon: CircleHelp },
  { key: "private", icon: ShieldCheck },
];

export const origins: HomePoint[] = [
  { key: "files", icon: FileText },
  { key: "website", icon: Globe },
  { key: "wiki", icon: NotebookText },
  { key: "drive", icon: HardDrive },
  { key: "github", icon: GitBranch },
  { key: "jira", icon: SquareKanban },
  { key: "shop", icon: ShoppingBag, href: "/shopify" },
  { key: "crm", icon: UsersRound },
];

export const channels: HomePoint[] = [
  { key: "page", icon: BookOpenCheck },
  { key: "widget", icon: PanelBottom },
  { key: "slack", icon: MessageSquare },
  { key: "api", icon: Terminal, href: "/v1/docs" },
];
