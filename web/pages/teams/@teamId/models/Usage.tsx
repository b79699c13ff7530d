// Usage of a team's models: calls, tokens and cost by day, week, month, agent, channel or model.
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { timeZoneName } from "#web/client/time-zone.ts";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { FilterForm, FilterSelect } from "#web/ui/FilterForm.tsx";
import { Section } from "#web/ui/Section.tsx";
import { groups, type ModelsData } from "./+data.ts";
import { dollars } from "./dollars.ts";

type Row = ModelsData["usage"]["total"];

export function Usage() {
  const { t } = useTranslation("models");
  const { locale, timeZone } = useRequest();
  const { usage, group } = useData<ModelsData>();
  const number = numberFormat(locale);
  const date = new Intl.DateTimeFormat(locale, {
    ...(group === "month" ? { month: "long", year: "numeric" } : { dateStyle: "medium" }),
    timeZone: "UTC",
  });
  const { total } = usage;
  const nameOf = (row: Row) => {
    if (row.date) return date.format(new Date(`${row.date}T00:00:00Z`));
    if (group === "agent") return row.agentName ?? t(row.agentId ? "usage.goneAgent" : "usage.noAgent");
    if (group === "channel") return t(`channels.${row.channel}`, { defaultValue: row.channel ?? "" });
    return row.model;
  };
  const rows = usage.data.length > 1 ? [...usage.data, total] : usage.data;
  return (
    <Section title={t("usage.title")} description={t("usage.text", { zone: timeZoneName(locale, timeZone) })}>
      {usage.data.length === 0 ? (
        <p className="text-muted">{t("usage.empty")}</p>
      ) : (
        <>
          <FilterForm label={t("usage.group")} names={["group"]}>
            <FilterSelect
              name="group"
              label={t("usage.group")}
              all={t("usage.day")}
              options={groups.slice(1).map((value) => ({ value, label: t(`usage.${value}`) }))}
            />
          </FilterForm>
          <DataTable<Row>
            caption={t("usage.title")}
            rows={rows}
            rowKey={(row) =>
              row === total ? "total" : [row.date, row.agentId, row.channel, row.model].join(" ")
            }
            columns={[
              {
                key: "name",
                header: t(`usage.${group}`),
                cell: (row) => (
                  <span className={`block truncate ${row === total ? "font-medium" : ""}`}>
                    {row === total ? t("usage.total") : nameOf(row)}
                  </span>
                ),
              },
              {
                key: "calls",
                header: t("usage.calls"),
                align: "right",
                minor: true,
                cell: (row) => number.format(row.calls),
              },
              {
                key: "tokens",
                header: t("usage.tokens"),
                align: "right",
                cell: (row) => number.format(row.promptTokens + row.completionTokens),
              },
              {
                key: "cost",
                header: t("usage.cost"),
                align: "right",
                cell: (row) => dollars(row.cost, locale),
              },
            ]}
          />
          {total.estimatedTokens > 0 && (
            <p className="mt-3 text-muted text-sm">
              {t("usage.estimated", { count: total.estimatedTokens })}
            </p>
          )}
          {total.unpricedTokens > 0 && (
            <p className="mt-3 text-muted text-sm">{t("usage.unpriced", { count: total.unpricedTokens })}</p>
          )}
        </>
      )}
    </Section>
  );
}
