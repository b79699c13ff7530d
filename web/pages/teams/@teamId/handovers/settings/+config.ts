import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "team.update" } satisfies Partial<PageConfig>;
