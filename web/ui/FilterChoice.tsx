// A filter of a list by one of the team's rows: a select, or one that is searched when the rows are too many for it. `all` is
// the option for no filter. Server only.
import { useTranslation } from "#translations";
import type { SearchSelectProps } from "../islands/SearchSelect.tsx";
import { Island } from "../render/island.tsx";
import { NO_FILTER } from "../render/no-filter.ts";
import { useRequest } from "../render/render-context.tsx";
import { type Choices, FIND } from "../request/choices.ts";
import { FilterSelect } from "./FilterForm.tsx";
import { Input } from "./Input.tsx";

export function FilterChoice({
  name,
  label,
  all,
  choices,
}: {
  name: string;
  label: string;
  all: string;
  choices: Choices;
}) {
  const { t } = useTranslation("app");
  const { url } = useRequest();
  const { options, isPartial, list, teamId } = choices;
  if (!isPartial) return <FilterSelect name={name} label={label} all={all} options={options} />;
  const value = url.searchParams.get(name) ?? NO_FILTER;
  const none = { value: NO_FILTER, label: all };
  return (
    <div className="w-full sm:w-52">
      <Island<SearchSelectProps>
        name="SearchSelect"
        props={{ id: `filter-${name}`, name, label, list, teamId, options, none, value }}
      />
      <span className="hidden noscript:block">
        <Input
          type="search"
          name={FIND}
          aria-label={t("labelled", { label: t("search"), value: label })}
          placeholder={t("search")}
        />
      </span>
    </div>
  );
}
