// One API key: its name, its role, when it was last used, and its revocation.
import { Trash2 } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Section } from "#web/ui/Section.tsx";
import { PermissionList } from "../../roles/PermissionList.tsx";
import { grantableRoles, roleName } from "../../roles/role-name.ts";
import type { ApiKeyData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("apiKeys");
  const request = useRequest();
  const { key, roles } = useData<ApiKeyData>();
  const team = currentTeam(request);
  const role = roles.find(({ id }) => id === key.roleId);
  const grantable = grantableRoles(roles, team.permissions);
  const mayChange = may(request, "apiKeys.write") && grantable.some(({ id }) => id === key.roleId);
  return (
    <div className="max-w-2xl">
      <PageHeader
        crumbs={[
          { label: team.name, href: "/dashboard" },
          { label: t("title"), href: teamPath(request, "apiKeys") },
          { label: key.name },
        ]}
        title={key.name}
      >
        <code className="font-mono">prl_{key.prefix}_…</code> · {t("made.at")}{" "}
        <DateTime value={key.createdAt} /> ·{" "}
        {key.lastUsedAt ? (
          <>
            {t("used.at")} <DateTime value={key.lastUsedAt} />
          </>
        ) : (
          t("used.never")
        )}
        {key.createdBy && (
          <span className="block break-words">
            {t("createdBy")} {key.createdBy.name} ({key.createdBy.email})
          </span>
        )}
      </PageHeader>
      <KeyProblem apiKey={key} />
      <Section title={t("settings")}>
        {mayChange ? (
          <Form>
            <FormField name="name" label={t("name")} required maxLength={200} defaultValue={key.name} />
            <FormField
              as="select"
              name="roleId"
              label={t("role")}
              hint={t("roleHint")}
              options={grantable.map((one) => ({ value: one.id, label: roleName(t, one) }))}
              defaultValue={key.roleId}
            />
            <Button variant="primary">{t("app:save")}</Button>
          </Form>
        ) : (
          <p>{role ? roleName(t, role) : "–"}</p>
        )}
      </Section>
      {role && (
        <Section title={t("mayTitle")}>
          <PermissionList permissions={role.permissions} />
        </Section>
      )}
      {may(request, "apiKeys.write") && (
        <Section title={t("revoke.section")} description={t("revoke.text")}>
          <ConfirmDialog
            id="revoke"
            form="revoke"
            icon={<Trash2 aria-hidden className="size-4" />}
            label={t("revoke.button")}
            title={t("revoke.title", { name: key.name })}
            confirm={t("revoke.confirm")}
          >
            {t("revoke.text")}
          </ConfirmDialog>
        </Section>
      )}
    </div>
  );
}

/** Why a key does not work, or may stop working, and what to do. */
function KeyProblem({ apiKey: { active, createdBy } }: { apiKey: ApiKeyData["key"] }) {
  const { t } = useTranslation("apiKeys");
  if (active && createdBy) return null;
  const text = createdBy ? t("inactiveKey.text", { name: createdBy.name }) : t("inactiveKey.textNobody");
  return (
    <div className="mb-8">
      <Alert tone="careful" title={t(active ? "unrecorded.title" : "inactiveKey.title")}>
        {active ? t("unrecorded.text") : text} {t("inactiveKey.todo")}
      </Alert>
    </div>
  );
}
