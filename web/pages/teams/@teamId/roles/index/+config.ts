import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account", permission: "roles.read" } satisfies Partial<PageConfig>;
