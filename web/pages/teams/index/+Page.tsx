// A user's teams and pending invitations.

import { ChevronRight, UsersRound } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { homeOf } from "#web/request/policy.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { SearchForm } from "#web/ui/SearchForm.tsx";
import type { TeamsData } from "./+data.ts";
import { Invited } from "./Invited.tsx";

export function Page() {
  const { t } = useTranslation("teams");
  const { url, invitations } = useRequest();
  const { data: teams, page, perPage, total } = useData<TeamsData>();
  const searched = url.searchParams.get("search");
  const invited = url.searchParams.get("email");
  const isEmpty = total === 0 && !searched && invitations.length === 0;
  const create = (
    <Button href="/teams/create" variant="primary">
      {t("list.create")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("list.title")} actions={!isEmpty && create} />
      {invited && <Invited email={invited} />}
      {invitations.length > 0 && (
        <section aria-labelledby="invitations" className="mb-8">
          <h2 id="invitations" className="mb-2 font-medium text-muted text-sm">
            {t("list.invitations", { count: invitations.length })}
          </h2>
          <ul className="divide-y divide-line border-line border-y">
            {invitations.map(({ id, name }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 py-3">
                <Avatar name={name} shape="square" />
                <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                <Form name="invitation" fields={{ teamId: id }} className="flex flex-wrap gap-2">
                  <Button name="status" value="rejected" size="sm">
                    {t("list.decline")}
                  </Button>
                  <Button name="status" value="accepted" size="sm" variant="primary">
                    {t("list.accept")}
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        </section>
      )}
      {isEmpty && (
        <EmptyState icon={<UsersRound />} title={t("list.emptyTitle")} action={create}>
          {t("list.emptyText")}
        </EmptyState>
      )}
      {(total > perPage || searched) && (
        <div className="mb-4">
          <SearchForm label={t("list.search")} />
        </div>
      )}
      {searched && teams.length === 0 && (
        <EmptyState
          icon={<UsersRound />}
          title={t("list.noMatch", { searched })}
          action={<Button href="/teams">{t("list.showAll")}</Button>}
        />
      )}
      {teams.length > 0 && (
        <ul className="divide-y divide-line border-line border-y">
          {teams.map(({ id, name, codename, role, permissions }) => (
            <li key={id}>
              <a
                href={homeOf({ codename, permissions })}
                className="-mx-2 flex items-center gap-3 rounded-md px-2 py-3 hover:bg-hover"
              >
                <Avatar name={name} shape="square" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block truncate text-muted text-sm">{codename}</span>
                </span>
                <span className="flex max-w-2/5">
                  <Badge>{t(`roles.${role}`, { defaultValue: role })}</Badge>
                </span>
                <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
              </a>
            </li>
          ))}
        </ul>
      )}
      <Pagination page={page} perPage={perPage} total={total} />
    </>
  );
}
