// The frame of every page inside a team: sidebar on the left, the page on the right. Each layout chooses the width.
import { Menu as MenuIcon, Search } from "lucide-react";
import { useTranslation } from "#translations";
import { IconButton } from "../ui/IconButton.tsx";
import { Logo } from "../ui/Logo.tsx";
import { MainRegion } from "./MainRegion.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { SkipLink } from "./SkipLink.tsx";

const widths = {
  /** Lists and details. */
  wide: "mx-auto w-full max-w-6xl px-5 py-6 md:px-10 md:py-9",
  /** Forms and settings, aligned to the same left edge. A page whose header is `isWide` is a list among them. */
  narrow:
    "mx-auto w-full max-w-6xl px-5 py-6 md:px-10 md:py-9 [&:not(:has(>[data-wide]))>:not(:has(table))]:max-w-2xl",
  /** Panels that scroll independently. */
  full: "flex min-h-0 w-full flex-1 flex-col",
};

export function AppShell({ width }: { width: keyof typeof widths }) {
  const { t } = useTranslation("app");
  return (
    <div
      data-fills={width === "full" || undefined}
      className={`flex flex-col md:flex-row ${width === "full" ? "h-dvh" : "min-h-dvh"}`}
    >
      <SkipLink />
      {/* A chat with a link back to its list has a header of its own, which is enough on a phone. */}
      <header
        data-off-paper
        data-covers="top"
        className="[body:has([data-leads-back])_&]:hidden sticky top-0 z-20 flex h-12 shrink-0 items-center gap-2 border-line border-b bg-ground/90 px-3 backdrop-blur md:hidden"
      >
        <IconButton popoverTarget="sidebar" label={t("nav.open")}>
          <MenuIcon aria-hidden className="size-5" />
        </IconButton>
        <a href="/dashboard">
          <Logo />
        </a>
        <IconButton data-palette label={t("search")} className="ml-auto noscript:hidden">
          <Search aria-hidden className="size-5" />
        </IconButton>
      </header>
      <Sidebar />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <MainRegion className={widths[width]} />
      </div>
    </div>
  );
}
