// The header of public pages: the product's name, further pages, and the link to log in or to the app.
import { useTranslation } from "#translations";
import { useFrame } from "../render/render-context.tsx";
import { Button } from "../ui/Button.tsx";
import { Logo } from "../ui/Logo.tsx";

export function PublicHeader() {
  const { t } = useTranslation("app");
  const { hasSession } = useFrame();
  return (
    <header className="mx-auto flex h-16 w-full max-w-6xl items-center justify-between gap-4 px-5">
      <a href="/" className="rounded-md">
        <Logo />
      </a>
      <nav aria-label={t("nav.label")} className="flex items-center gap-1">
        <Button href="/guides" variant="ghost" className="max-sm:hidden">
          {t("nav.guides")}
        </Button>
        <Button href="/shopify" variant="ghost" className="max-sm:hidden">
          {t("nav.shops")}
        </Button>
        {hasSession ? (
          <Button href="/dashboard" variant="primary" className="ml-2">
            {t("nav.dashboard")}
          </Button>
        ) : (
          <Button href="/login" className="ml-2">
            {t("nav.login")}
          </Button>
        )}
      </nav>
    </header>
  );
}
