import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account", access: "team", permission: "insights.read" } satisfies PageConfig;
