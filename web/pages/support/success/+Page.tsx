// Confirms that the message to support was received.
import { MailCheck } from "lucide-react";
import { useTranslation } from "#translations";
import { Button } from "#web/ui/Button.tsx";

export function Page() {
  const { t } = useTranslation("support");
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start py-10">
      <MailCheck aria-hidden className="mb-4 size-7 text-good" />
      <h1 className="font-semibold text-2xl">{t("done")}</h1>
      <p className="mt-2 mb-6 text-muted">{t("doneText")}</p>
      <Button href="/">{t("app:error.home")}</Button>
    </div>
  );
}
