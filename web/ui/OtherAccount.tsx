// Logs out and leads through the login to the page that this account may not see. Server only.
import { useTranslation } from "#translations";
import { Button } from "./Button.tsx";

/** @param props.next path of the page, which the login opens */
export function OtherAccount({ next }: { next: string }) {
  const { t } = useTranslation();
  return (
    <form method="post" action={`/logout?next=${encodeURIComponent(next)}`} data-reload>
      <Button>{t("notMember.login")}</Button>
    </form>
  );
}
