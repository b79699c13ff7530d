// The footer of public pages: further pages, language and theme.
import { useTranslation } from "#translations";
import { Preferences } from "./Preferences.tsx";

export function PublicFooter() {
  const { t } = useTranslation("app");
  const links = [
    ["/guides", t("nav.guides")],
    ["/shopify", t("nav.shops")],
    ["/v1/docs", t("nav.apiReference")],
    ["/beta", t("nav.beta")],
    ["/support", t("nav.support")],
    ["/privacy-policy", t("nav.privacy")],
    ["/terms-of-use", t("nav.terms")],
  ] as const;
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-4 px-5 py-6 text-muted text-sm">
        <nav aria-label={t("nav.footer")}>
          <ul className="flex flex-wrap gap-x-5 gap-y-2">
            {links.map(([href, label]) => (
              <li key={href}>
                <a href={href} className="hover:text-ink hover:underline">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Preferences />
      </div>
    </footer>
  );
}
