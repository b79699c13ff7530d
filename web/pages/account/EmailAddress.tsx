// The login address and the form to change it: requires the password, then confirmation from both mailboxes.
import { CircleCheck, Clock } from "lucide-react";
import { useTranslation } from "#translations";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { DateTime } from "../../ui/DateTime.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";
import type { AccountData } from "./+data.ts";

type EmailAddressProps = AccountData["address"] & Pick<AccountData, "invitations">;

export function EmailAddress({ email, pending, invitations }: EmailAddressProps) {
  const { t } = useTranslation("account");
  return (
    <>
      <p className="mb-4 [overflow-wrap:anywhere]">
        {t("emailNow")} <strong className="font-medium">{email}</strong>
      </p>
      {pending ? (
        <Pending email={email} pending={pending} />
      ) : (
        <Form name="email" className="max-w-md space-y-4">
          <FormField
            form="email"
            name="email"
            type="email"
            label={t("newEmail")}
            hint={t("newEmailHint")}
            autoComplete="email"
            required
            maxLength={254}
          />
          <FormField
            form="email"
            name="currentPassword"
            type="password"
            label={t("auth:password")}
            autoComplete="current-password"
            required
          />
          {invitations > 0 && (
            <p className="text-muted text-sm">{t("emailInvitations", { count: invitations })}</p>
          )}
          <Button>{t("emailButton")}</Button>
        </Form>
      )}
    </>
  );
}

function Pending({
  email,
  pending,
}: {
  email: string;
  pending: NonNullable<AccountData["address"]["pending"]>;
}) {
  const { t } = useTranslation("account");
  const mailboxes = [
    { address: email, isConfirmed: pending.confirmedByCurrent },
    { address: pending.email, isConfirmed: pending.confirmedByNew },
  ];
  return (
    <div className="max-w-md space-y-4">
      <Alert title={t("emailPending", { email: pending.email })}>
        {t("emailPendingText")} {t("emailExpires")} <DateTime value={pending.expiresAt} />.
      </Alert>
      <ul className="space-y-2">
        {mailboxes.map(({ address, isConfirmed }) => {
          const Icon = isConfirmed ? CircleCheck : Clock;
          return (
            <li key={address} className="flex gap-2 text-sm">
              <Icon
                aria-hidden
                className={`mt-0.5 size-4 shrink-0 ${isConfirmed ? "text-good" : "text-faint"}`}
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {t(isConfirmed ? "emailConfirmed" : "emailUnconfirmed", { email: address })}
              </span>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Form name="emailResend" className="contents">
          <Button>{t("emailResend")}</Button>
        </Form>
        <Form name="emailCancel" className="contents">
          <Button variant="ghost">{t("emailCancel")}</Button>
        </Form>
      </div>
    </div>
  );
}
