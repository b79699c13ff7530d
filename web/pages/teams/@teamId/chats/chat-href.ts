// The address of a chat next to the filtered list.

import { teamPath } from "#web/request/current-team.ts";
import type { RequestScope } from "#web/request/request-scope.ts";
import { chatFilters } from "./index/+data.ts";

export function chatHref(request: RequestScope, chatId: string): string {
  const search = new URLSearchParams({ chatId });
  for (const name of [...chatFilters, "lastKey"]) {
    const value = request.url.searchParams.get(name);
    if (value) search.set(name, value);
  }
  return `${teamPath(request, "chats/review")}?${search}`;
}
