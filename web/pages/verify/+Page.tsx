// For an account that still has to be verified: what to do now.
import { ShieldAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { SupportText } from "../../components/SupportText.tsx";
import { useRequest } from "../../renderer/render-context.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { supportEmail } = useRequest();
  return (
    <>
      <ShieldAlert aria-hidden className="mb-4 size-7 text-careful" />
      <h1 className="font-semibold text-xl">{t("verify.title")}</h1>
      <p className="mt-2 mb-6 text-muted">
        <SupportText text={t("verify.text", { supportEmail })} />
      </p>
      <Button href="/login" size="lg" className="w-full">
        {t("backToLogin")}
      </Button>
    </>
  );
}
