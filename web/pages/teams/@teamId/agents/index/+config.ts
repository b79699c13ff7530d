import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "agents.read" } satisfies Partial<PageConfig>;
