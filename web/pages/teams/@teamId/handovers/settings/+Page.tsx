// Whether agents offer a handover, who is mailed, and the webhook.
import { useTranslation } from "#translations";
import type { HandoverSecretProps } from "#web/islands/HandoverSecret.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormCheckbox } from "#web/ui/FormCheckbox.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormTags } from "#web/ui/FormTags.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { statusTones } from "../status-tones.ts";
import type { HandoverSettingsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("handovers");
  const request = useRequest();
  const team = currentTeam(request);
  const { isOffered, emails, webhookUrl, hasSecret, lastDelivery } = useData<HandoverSettingsData>();
  const mayChange = may(request, "chats.read");
  const header = (
    <PageHeader
      crumbs={[
        { label: team.name, href: "/dashboard" },
        { label: t("title"), href: mayChange ? teamPath(request, "handovers") : undefined },
        { label: t("settings.title") },
      ]}
      title={t("settings.title")}
    >
      {!mayChange && t("settings.needsChats")}
    </PageHeader>
  );
  if (!mayChange) return header;
  return (
    <>
      {header}
      <Section title={t("settings.offer.title")} description={t("settings.offer.text")}>
        <Form name="offer" className="max-w-md space-y-4">
          <FormCheckbox
            form="offer"
            name="isOffered"
            label={t("settings.offer.label")}
            isChecked={isOffered}
          />
          <FormTags
            form="offer"
            name="emails"
            label={t("settings.emails.label")}
            hint={t("settings.emails.hint")}
            values={emails}
            max={10}
            maxLength={254}
            type="email"
            addOnBlur
            addOnPaste
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
      </Section>
      <Section title={t("settings.webhook.title")} description={t("settings.webhook.text")}>
        <Form name="webhook" className="max-w-md space-y-4">
          <FormField
            form="webhook"
            name="webhookUrl"
            type="url"
            label={t("settings.webhook.label")}
            hint={t("settings.webhook.hint")}
            maxLength={500}
            placeholder="https://example.com/parley"
            defaultValue={webhookUrl ?? ""}
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
        {lastDelivery && (
          <p className="mt-4 flex flex-wrap items-center gap-2 text-sm">
            <span className="text-muted">{t("settings.webhook.last")}</span>
            <Badge tone={statusTones[lastDelivery.status]}>
              {t(`deliveries.status.${lastDelivery.status}`)}
            </Badge>
            <DateTime value={lastDelivery.deliveredAt ?? lastDelivery.createdAt} />
            {lastDelivery.error && (
              <span className="text-muted">
                {t(`deliveries.error.${lastDelivery.error}`, { status: lastDelivery.lastStatus ?? "" })}
              </span>
            )}
          </p>
        )}
      </Section>
      {webhookUrl && (
        <Section title={t("settings.secret.title")} description={t("settings.secret.text")}>
          <Island<HandoverSecretProps> name="HandoverSecret" props={{ teamId: team.id, hasSecret }} />
        </Section>
      )}
    </>
  );
}
