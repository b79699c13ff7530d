// The sort order of a list: `?sort=name` in the address, `?sort=-name` for descending, as in the API. The headers of
// DataTable are the links. Server only.
import { useRequest } from "../render/render-context.tsx";
import type { Column } from "./DataTable.tsx";

type Order<Name extends string> = Name | `-${Name}`;

/** The orders that a list offers, and its default. Shared by a page's +data and its columns. */
export class Sorting<const Name extends string> {
  constructor(
    private readonly names: readonly Name[],
    readonly preset: Order<Name>,
  ) {}

  /** The order in an address; the default when it is missing or unknown. */
  in(url: URL): Order<Name> {
    const wanted = url.searchParams.get("sort");
    const orders = this.names.flatMap((name): Order<Name>[] => [name, `-${name}`]);
    return orders.find((order) => order === wanted) ?? this.preset;
  }
}

/**
 * The `sort` of a DataTable's column: `sort("name")`, or `sort("createdAt", "desc")` when the first click should sort
 * the latest or largest first. Changing the order returns to the first page.
 */
export function useSort<Name extends string>(sorting: Sorting<Name>) {
  const { url } = useRequest();
  const present = sorting.in(url);
  return (name: Name, first: "asc" | "desc" = "asc"): NonNullable<Column<unknown>["sort"]> => {
    const direction = present === name ? "asc" : present === `-${name}` ? "desc" : undefined;
    const next = direction ? (direction === "asc" ? "desc" : "asc") : first;
    const search = new URLSearchParams(url.search);
    for (const place of ["page", "lastKey"]) search.delete(place);
    search.set("sort", next === "asc" ? name : `-${name}`);
    return { href: `${url.pathname}?${search}`, direction };
  };
}
