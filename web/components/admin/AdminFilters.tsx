// Filters of a list of the admin area, in its address (GET): words, a team, and choices. Server only.
import { useTranslation } from "react-i18next";
import { useRequest } from "../../renderer/render-context.tsx";
import { Button } from "../Button.tsx";
import { Input } from "../Input.tsx";
import { type Option, Select } from "../Select.tsx";

export interface AdminFiltersProps {
  /** Query name of the words; absent for lists that cannot be searched. */
  search?: string;
  team?: boolean;
  choices?: { name: string; label: string; options: Option[] }[];
}

export function AdminFilters({ search, team = false, choices = [] }: AdminFiltersProps) {
  const { t } = useTranslation("admin");
  const { url } = useRequest();
  const given = (name: string) => url.searchParams.get(name) ?? "";
  const names = [
    ...(search ? [search] : []),
    ...(team ? ["teamId"] : []),
    ...choices.map(({ name }) => name),
  ];
  const isFiltered = names.some((name) => given(name) !== "");
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every screen reader yet
    <form role="search" method="get" className="mb-5 flex flex-wrap items-center gap-2">
      {search && (
        <Input
          type="search"
          name={search}
          aria-label={t("filter.words")}
          placeholder={t("app:search")}
          defaultValue={given(search)}
          className="h-9 w-full sm:w-56"
        />
      )}
      {team && (
        <Input
          name="teamId"
          aria-label={t("filter.team")}
          placeholder={t("filter.team")}
          defaultValue={given("teamId")}
          autoCapitalize="none"
          spellCheck={false}
          className="h-9 w-full sm:w-48"
        />
      )}
      {choices.map(({ name, label, options }) => (
        <Select
          key={name}
          name={name}
          aria-label={label}
          defaultValue={given(name)}
          options={[{ value: "", label }, ...options]}
          className="w-auto max-sm:min-w-0 max-sm:flex-1"
        />
      ))}
      <Button size="md">{t("filter.apply")}</Button>
      {isFiltered && (
        <Button href={url.pathname} variant="ghost">
          {t("filter.clear")}
        </Button>
      )}
    </form>
  );
}
