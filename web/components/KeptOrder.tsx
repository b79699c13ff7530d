// The order of a list, which stays when a form beside it filters or searches. Server only.
import { useRequest } from "../renderer/render-context.tsx";

export function KeptOrder() {
  const order = useRequest().url.searchParams.get("sort");
  return order && <input type="hidden" name="sort" value={order} />;
}
