import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "tasks.read" } satisfies Partial<PageConfig>;
