// The first element that Tab reaches: skips the navigation.
import { useTranslation } from "#translations";

export function SkipLink() {
  const { t } = useTranslation("app");
  return (
    <a
      href="#main"
      data-off-paper
      className="-translate-y-16 fixed top-2 left-2 z-50 rounded-md bg-accent px-3 py-2 font-medium text-on-accent text-sm focus-visible:translate-y-0"
    >
      {t("skip")}
    </a>
  );
}
