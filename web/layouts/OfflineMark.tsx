// A notice that the built-in models answer: unobtrusive, with an explanation on hover or focus.
import { CloudOff } from "lucide-react";
import { useTranslation } from "#translations";
import { useFrame } from "../render/render-context.tsx";
import { Button } from "../ui/Button.tsx";

export function OfflineMark() {
  const { t } = useTranslation("app");
  const { modelsOffline } = useFrame();
  if (!modelsOffline) return null;
  return (
    <Button
      variant="bare"
      type="button"
      data-tooltip={t("offlineModels")}
      className="flex items-center gap-2 self-start rounded-md px-2 py-1 text-left text-muted text-xs"
    >
      <CloudOff aria-hidden className="size-3.5 text-faint" />
      {t("offlineMark")}
    </Button>
  );
}
