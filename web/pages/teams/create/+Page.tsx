// Owns the creation of a team, by a name or from an export. Everything else about it can wait.
import { useTranslation } from "#translations";
import { Island } from "#web/render/island.tsx";
import { useRequest } from "#web/render/render-context.tsx";
import { notMemberText } from "#web/request/problem-words.ts";
import { safeNext } from "#web/request/safe-next.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { NeedsScripts } from "#web/ui/NeedsScripts.tsx";
import { OtherAccount } from "#web/ui/OtherAccount.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";

export function Page() {
  const { t } = useTranslation("teams");
  const request = useRequest();
  const { teams, invitations, url, user } = request;
  // The page of another team that they asked for (request/safe-next.ts).
  const from = safeNext(url.searchParams.get("from"), "");
  return (
    <>
      {from && teams.length === 0 && (
        <div className="mb-8">
          <Alert tone="careful" title={t("app:notMember.title")}>
            <p className="mb-3 [overflow-wrap:anywhere]">{notMemberText(t, request, user?.email)}</p>
            <OtherAccount next={from} />
          </Alert>
        </div>
      )}
      <PageHeader title={t("create.title")}>{t("create.intro")}</PageHeader>
      {invitations.length > 0 && (
        <p className="mb-6 flex flex-wrap items-center gap-3 rounded-md border border-line bg-sunken px-4 py-3">
          <span className="min-w-0 flex-1">{t("create.invited", { count: invitations.length })}</span>
          <Button href="/teams" variant="primary">
            {t("create.seeInvitations")}
          </Button>
        </p>
      )}
      <Form>
        <FormField
          name="name"
          label={t("create.name")}
          placeholder={t("create.placeholder")}
          autoComplete="organization"
          required
          maxLength={200}
          autoFocus
        />
        <div className="flex gap-2">
          <Button variant="primary" size="lg">
            {t("create.submit")}
          </Button>
          {teams.length > 0 && (
            <Button href="/teams" variant="ghost" size="lg">
              {t("app:cancel")}
            </Button>
          )}
        </div>
      </Form>
      <div className="mt-10">
        <Section title={t("import.title")} description={t("import.text")}>
          <NeedsScripts>
            <Island name="ImportTeam" props={{}} />
          </NeedsScripts>
        </Section>
      </div>
    </>
  );
}
