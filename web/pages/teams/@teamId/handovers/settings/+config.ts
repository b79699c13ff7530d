import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "team.update" } satisfies Partial<PageConfig>;
