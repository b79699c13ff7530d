import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "insights.read" } satisfies Partial<PageConfig>;
