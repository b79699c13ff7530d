import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "tasks.read" } satisfies Partial<PageConfig>;
