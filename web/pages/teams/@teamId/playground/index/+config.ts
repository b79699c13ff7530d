import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "playground", permission: "agents.read" } satisfies Partial<PageConfig>;
