// The foot of public pages: legal pages, support, language and theme.
import { useTranslation } from "react-i18next";
import { Preferences } from "./Preferences.tsx";

export function PublicFooter() {
  const { t } = useTranslation("app");
  const links = [
    ["/support", t("nav.support")],
    ["/privacy-policy", t("nav.privacy")],
    ["/terms-of-use", t("nav.terms")],
  ] as const;
  return (
    <footer className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-4 px-5 py-6 text-muted text-sm">
      <ul className="flex flex-wrap gap-5">
        {links.map(([href, label]) => (
          <li key={href}>
            <a href={href} className="hover:text-ink">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <Preferences />
    </footer>
  );
}
