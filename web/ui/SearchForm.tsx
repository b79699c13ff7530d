// Searches a list through the address (GET), so that a filtered list can be shared. Server only.
import { Search } from "lucide-react";
import { useTranslation } from "#translations";
import { useRequest } from "../render/render-context.tsx";
import { Input } from "./Input.tsx";
import { KeptOrder } from "./KeptOrder.tsx";

/** `name` is the query parameter that the page's +data reads; `label` says what is searched. */
export function SearchForm({ name = "search", label }: { name?: string; label: string }) {
  const { t } = useTranslation("app");
  const { url } = useRequest();
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every screen reader yet
    <form role="search" method="get" className="relative w-full sm:max-w-72">
      <KeptOrder />
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-faint" />
      <Input
        type="search"
        name={name}
        aria-label={label}
        placeholder={t("search")}
        defaultValue={url.searchParams.get(name) ?? ""}
        className="h-9 pl-8"
      />
    </form>
  );
}
