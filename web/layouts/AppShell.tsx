// The frame of every page inside a team: sidebar at the left, the page at the right. The layouts choose its width.
import { Menu as MenuIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Logo } from "../components/Logo.tsx";
import { useRequest } from "../renderer/render-context.tsx";
import { MainRegion } from "./MainRegion.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { SkipLink } from "./SkipLink.tsx";

const widths = {
  /** Lists and details. */
  wide: "mx-auto w-full max-w-6xl px-5 py-8 md:px-10",
  /** Forms and settings. */
  narrow: "mx-auto w-full max-w-3xl px-5 py-8 md:px-10",
  /** Panels that scroll by themselves. */
  full: "flex min-h-0 w-full flex-1 flex-col",
};

export function AppShell({ width }: { width: keyof typeof widths }) {
  const { t } = useTranslation("app");
  const { modelsOffline } = useRequest();
  return (
    <div className={`flex flex-col md:flex-row ${width === "full" ? "h-dvh" : "min-h-dvh"}`}>
      <SkipLink />
      <header className="flex h-12 items-center gap-3 border-line border-b px-3 md:hidden">
        <button type="button" popoverTarget="sidebar" aria-label={t("nav.open")} className="icon-button">
          <MenuIcon aria-hidden className="size-5" />
        </button>
        <a href="/dashboard">
          <Logo />
        </a>
      </header>
      <Sidebar />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {modelsOffline && (
          <p className="border-line border-b bg-sunken px-5 py-1.5 text-center text-muted text-xs">
            {t("offlineModels")}
          </p>
        )}
        <MainRegion className={widths[width]} />
      </div>
    </div>
  );
}
