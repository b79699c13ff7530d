// Keeps a list's sort order when a filter or search form is submitted. Server only.
import { useRequest } from "../render/render-context.tsx";

export function KeptOrder() {
  const order = useRequest().url.searchParams.get("sort");
  return order && <input type="hidden" name="sort" value={order} />;
}
