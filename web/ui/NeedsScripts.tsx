// What works only with JavaScript; without it, a sentence that says so. Server only.
import type { ReactNode } from "react";
import { useTranslation } from "#translations";

export function NeedsScripts({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="hidden text-muted text-sm noscript:block">{t("needsScripts")}</p>
      <div className="noscript:hidden">{children}</div>
    </>
  );
}
