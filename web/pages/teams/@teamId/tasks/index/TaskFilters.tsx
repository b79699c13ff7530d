// Filters a list of tasks through the address, so that a filtered list can be shared. Works without JavaScript. Server only.
import { useTranslation } from "#translations";
import { dayIn } from "#web/client/days.ts";
import type { DateRangeProps } from "#web/islands/DateRange.tsx";
import { Island } from "#web/render/island.tsx";
import { useRequest } from "#web/render/render-context.tsx";
import { FilterForm, FilterSearch, FilterSelect } from "#web/ui/FilterForm.tsx";
import { taskStatuses, taskTypes } from "../task-kinds.ts";

/** @param names the query parameters that the list reads */
export function TaskFilters({ names }: { names: string[] }) {
  const { t } = useTranslation("tasks");
  const { timeZone, url } = useRequest();
  const { searchParams } = url;
  return (
    <FilterForm label={t("filter.label")} names={names}>
      <FilterSelect
        name="type"
        label={t("filter.type")}
        all={t("filter.allTypes")}
        options={taskTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
      />
      <FilterSelect
        name="status"
        label={t("filter.status")}
        all={t("filter.allStates")}
        options={taskStatuses.map((value) => ({ value, label: t(`app:status.${value}`) }))}
      />
      <Island<DateRangeProps>
        name="DateRange"
        props={{
          label: t("queued"),
          start: searchParams.get("dateStart"),
          end: searchParams.get("dateEnd"),
          last: dayIn(new Date(), timeZone),
          clearable: true,
        }}
      />
      <FilterSearch name="taskId" label={t("filter.taskId")} placeholder={t("filter.taskId")} />
    </FilterForm>
  );
}
