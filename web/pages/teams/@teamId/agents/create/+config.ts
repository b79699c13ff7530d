import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "agents.write" } satisfies Partial<PageConfig>;
