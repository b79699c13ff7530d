// The inbox of handovers: who asked for a person, and in which chat.
import { Inbox, Settings } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { FilterChoice } from "#web/ui/FilterChoice.tsx";
import { FilterForm, FilterSelect } from "#web/ui/FilterForm.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { RowLink } from "#web/ui/RowLink.tsx";
import { statusTones } from "../status-tones.ts";
import { type HandoversData, handoverFilters, statuses } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("handovers");
  const request = useRequest();
  const { handovers, agents } = useData<HandoversData>();
  const filtered = handoverFilters.some((name) => request.url.searchParams.get(name));
  return (
    <>
      <PageHeader
        crumbs={[{ label: currentTeam(request).name, href: "/dashboard" }, { label: t("title") }]}
        title={t("title")}
        actions={
          may(request, "team.update") && (
            <Button
              href={teamPath(request, "handovers/settings")}
              icon={<Settings aria-hidden className="size-4" />}
            >
              {t("settings.link")}
            </Button>
          )
        }
      >
        {t("intro")}
      </PageHeader>
      {(handovers.total > 0 || filtered) && (
        <FilterForm label={t("filter.label")} names={handoverFilters}>
          <FilterSelect
            name="status"
            label={t("status.label")}
            all={t("filter.anyStatus")}
            options={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
          />
          <FilterChoice name="agentId" label={t("agent")} all={t("filter.allAgents")} choices={agents} />
        </FilterForm>
      )}
      {handovers.data.length === 0 ? (
        <EmptyState
          icon={<Inbox />}
          title={filtered ? t("noMatch") : t("emptyTitle")}
          action={filtered && <Button href={request.url.pathname}>{t("app:filter.clear")}</Button>}
        >
          {!filtered && t("emptyText")}
        </EmptyState>
      ) : (
        <DataTable
          caption={t("title")}
          rows={handovers.data}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "title",
              header: t("chat"),
              cell: ({ id, title, message }) => (
                <RowLink
                  href={teamPath(request, `handovers/${id}`)}
                  title={title || t("untitled")}
                  detail={message}
                />
              ),
            },
            {
              key: "reason",
              header: t("reason.label"),
              minor: true,
              cell: ({ reason }) => <span className="whitespace-nowrap">{t(`reason.${reason}`)}</span>,
            },
            {
              key: "agent",
              header: t("agent"),
              minor: true,
              cell: ({ agentName }) => <span className="block max-w-48 truncate">{agentName ?? "–"}</span>,
            },
            {
              key: "status",
              header: t("status.label"),
              cell: ({ status }) => <Badge tone={statusTones[status]}>{t(`status.${status}`)}</Badge>,
            },
            {
              key: "created",
              minor: true,
              header: t("asked"),
              align: "right",
              cell: ({ createdAt }) => <DateCell value={createdAt} />,
            },
          ]}
        />
      )}
      <Pagination {...handovers} />
    </>
  );
}
