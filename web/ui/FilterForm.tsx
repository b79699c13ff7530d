// Filters of a list, stored in the address (GET) so that a filtered list can be shared: a search field, selects, date
// ranges. With JavaScript a select takes effect at once; without it there is a button. Server only.
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translations";
import { NO_FILTER } from "../render/no-filter.ts";
import { useRequest } from "../render/render-context.tsx";
import { Button } from "./Button.tsx";
import { Input } from "./Input.tsx";
import { KeptOrder } from "./KeptOrder.tsx";
import { type Option, Select } from "./Select.tsx";

export interface FilterFormProps {
  /** Name of the form for screen readers, such as "Filter the chats". */
  label: string;
  /** The filters' query parameters: when one is set, a link clears them all. */
  names: string[];
  children: ReactNode;
}

export function FilterForm({ label, names, children }: FilterFormProps) {
  const { t } = useTranslation("app");
  const { url } = useRequest();
  const filtered = names.some((name) => url.searchParams.get(name));
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every screen reader yet
    <form
      role="search"
      aria-label={label}
      method="get"
      data-auto
      className="mb-4 flex flex-wrap items-center gap-2"
    >
      <KeptOrder />
      {children}
      <span className="hidden noscript:contents">
        <Button className="h-9">{t("filter.apply")}</Button>
      </span>
      {filtered && (
        <Button href={url.pathname} variant="ghost" className="h-9">
          {t("filter.clear")}
        </Button>
      )}
    </form>
  );
}

/** The search field. */
export function FilterSearch({
  name = "search",
  label,
  placeholder,
}: {
  name?: string;
  label: string;
  placeholder?: string;
}) {
  const { t } = useTranslation("app");
  const { url } = useRequest();
  return (
    <div className="relative w-full sm:w-64">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-faint" />
      <Input
        type="search"
        id={`filter-${name}`}
        name={name}
        maxLength={200}
        aria-label={label}
        placeholder={placeholder ?? t("search")}
        defaultValue={url.searchParams.get(name) ?? ""}
        className="pl-8"
      />
    </div>
  );
}

/** A select; `all` is the option for no filter. */
export function FilterSelect({
  name,
  label,
  all,
  options,
}: {
  name: string;
  label: string;
  all: string;
  options: Option[];
}) {
  const { url } = useRequest();
  return (
    <Select
      id={`filter-${name}`}
      name={name}
      aria-label={label}
      defaultValue={url.searchParams.get(name) ?? NO_FILTER}
      options={[{ value: NO_FILTER, label: all }, ...options]}
      className="field-sizing-content w-auto! max-w-52 max-sm:min-w-fit max-sm:max-w-full max-sm:grow max-sm:basis-2/5 max-sm:px-2!"
    />
  );
}
