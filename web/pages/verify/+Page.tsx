// For an address that was registered more than once: no password is valid until its mailbox chooses one.
import { ShieldAlert } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { SupportText } from "../../ui/SupportText.tsx";
import { ResendMail } from "../confirm/ResendMail.tsx";

export function Page() {
  const { t } = useTranslation("auth");
  const { supportEmail, url } = useRequest();
  const email = url.searchParams.get("email") ?? "";
  return (
    <ResendMail icon={ShieldAlert} tone="text-careful" title={t("verify.title")} email={email}>
      <p>
        <SupportText text={t("verify.text", { supportEmail })} />
      </p>
    </ResendMail>
  );
}
