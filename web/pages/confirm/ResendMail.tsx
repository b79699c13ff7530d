// What the pages share that wait for a mail: the local mailbox, a button to resend the mail, and the way back to login.
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form } from "../../ui/Form.tsx";
import { FormField } from "../../ui/FormField.tsx";

export interface ResendMailProps {
  icon: LucideIcon;
  /** Color of the icon, as a class. */
  tone: string;
  title: string;
  /** Where the mail goes, if it is known. */
  email: string;
  /** What happened, and what to do. */
  children: ReactNode;
}

export function ResendMail({ icon: Icon, tone, title, email, children }: ResendMailProps) {
  const { t } = useTranslation("auth");
  const { mailboxUrl } = useRequest();
  return (
    <>
      <Icon aria-hidden className={`mb-4 size-7 ${tone}`} />
      <h1 className="font-semibold text-xl">{title}</h1>
      <div className="mt-2 mb-6 space-y-3 text-muted">
        {children}
        {mailboxUrl && (
          <p>
            <a
              href={mailboxUrl}
              target="_blank"
              rel="noreferrer"
              className="font-medium text-accent-ink hover:underline"
            >
              {t("confirm.mailbox")}
            </a>
          </p>
        )}
      </div>
      <Form casual>
        <FormField
          name="email"
          type="email"
          label={t("email")}
          autoComplete="email"
          required
          defaultValue={email}
        />
        <Button size="lg" className="w-full">
          {t("confirm.resend")}
        </Button>
      </Form>
      <p className="mt-6 text-muted text-sm">
        <a href="/login" className="font-medium text-accent-ink hover:underline">
          {t("backToLogin")}
        </a>
      </p>
    </>
  );
}
