// Filters of a list of the admin area: words, a team, and choices. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "../../renderer/render-context.tsx";
import { Button } from "../Button.tsx";
import { FilterForm, FilterSearch, FilterSelect } from "../FilterForm.tsx";
import { Input } from "../Input.tsx";
import type { Option } from "../Select.tsx";

export interface AdminFiltersProps {
  /** Query name of the words; absent for lists that cannot be searched. */
  search?: string;
  team?: boolean;
  choices?: { name: string; label: string; options: Option[] }[];
}

export function AdminFilters({ search, team = false, choices = [] }: AdminFiltersProps) {
  const { t } = useTranslation("admin");
  const { url } = useRequest();
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
        <FilterSelect key={name} name={name} label={label} all={label} options={options} />
      ))}
      {/* Enter sends a form with one field by itself; with several it wants a button. */}
      <Button variant="bare" hidden aria-hidden tabIndex={-1} />
    </FilterForm>
  );
}
