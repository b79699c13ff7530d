import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "agents.read" } satisfies Partial<PageConfig>;
