import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account", permission: "users.read" } satisfies Partial<PageConfig>;
