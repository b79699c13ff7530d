// Filters of an admin list: search, a team, and selects. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "../../render/render-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterForm, FilterSearch, FilterSelect } from "../../ui/FilterForm.tsx";
import { Input } from "../../ui/Input.tsx";
import type { Option } from "../../ui/Select.tsx";

export interface AdminFiltersProps {
  /** The rows shown. Without rows, and without a filter or page in the URL, the filters are hidden. */
  rows: readonly unknown[];
  /** Query parameter of the search; absent for lists without search. */
  search?: string;
  team?: boolean;
  choices?: { name: "type" | "status"; label: string; options: Option[] }[];
}

const alls = { type: "tasks:filter.allTypes", status: "tasks:filter.allStates" };

export function AdminFilters({ rows, search, team = false, choices = [] }: AdminFiltersProps) {
  const { t } = useTranslation("admin");
  const { url } = useRequest();
  if (rows.length === 0 && ![...url.searchParams.values()].some((value) => value)) return null;
  const names = [search, team && "teamId", ...choices.map(({ name }) => name)].filter((name) => !!name);
  return (
    <FilterForm label={t("filter.label")} names={names.map(String)}>
      {search && <FilterSearch name={search} label={t("filter.words")} />}
      {team && (
        <div className="w-full sm:w-56">
          <Input
            id="filter-teamId"
            name="teamId"
            aria-label={t("filter.team")}
            placeholder={t("filter.team")}
            defaultValue={url.searchParams.get("teamId") ?? ""}
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      )}
      {choices.map(({ name, label, options }) => (
        <FilterSelect key={name} name={name} label={label} all={t(alls[name])} options={options} />
      ))}
      {/* Enter submits a form with one field; with several fields the browser needs a submit button. */}
      <Button variant="bare" hidden aria-hidden tabIndex={-1} />
    </FilterForm>
  );
}
