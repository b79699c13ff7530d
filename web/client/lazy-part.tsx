// Owns parts of an island that load when they are first shown. One that cannot be loaded, offline or after a newer build
// has replaced it, says so in its own place: the rest of the island stays. For islands with the namespace `errors`.
import { type ComponentType, lazy } from "react";
import { useTranslation } from "#translations";
import { Button } from "../ui/Button.tsx";

export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotLoaded }),
    ),
  );

function NotLoaded() {
  const { t } = useTranslation("errors");
  return (
    <div role="alert" className="p-4">
      <p className="font-medium text-bad">{t("notLoaded.title")}</p>
      <p className="mt-0.5 text-sm">{t("notLoaded.text")}</p>
      <Button type="button" size="sm" className="mt-2" onClick={() => location.reload()}>
        {t("notLoaded.reload")}
      </Button>
    </div>
  );
}
