import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account", permission: "insights.read" } satisfies Partial<PageConfig>;
