import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "agents.write" } satisfies Partial<PageConfig>;
