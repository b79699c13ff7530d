import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "insights.read" } satisfies Partial<PageConfig>;
