// Explains the link of an invitation that is for another account, or no longer open.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { Alert } from "#web/ui/Alert.tsx";
import { OtherAccount } from "#web/ui/OtherAccount.tsx";

/** Anyone can write the link: other text than an address is not repeated. */
const address = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** @param props.email the address that the invitation was sent to */
export function Invited({ email }: { email: string }) {
  const { t } = useTranslation("teams");
  const { user, invitations } = useRequest();
  const own = user?.email ?? "";
  const isOwn = email.toLowerCase() === own.toLowerCase();
  if (!address.test(email) || (isOwn && invitations.length > 0)) return null;
  return (
    <div className="mb-8">
      <Alert tone="careful" title={t(isOwn ? "invitation.gone" : "invitation.otherAddress")}>
        <p className="[overflow-wrap:anywhere]">
          {isOwn ? t("invitation.noneOpen") : t("invitation.otherAddressText", { email, own })}
        </p>
        {!isOwn && (
          <div className="mt-3">
            <OtherAccount next={`/teams?email=${encodeURIComponent(email)}`} />
          </div>
        )}
      </Alert>
    </div>
  );
}
