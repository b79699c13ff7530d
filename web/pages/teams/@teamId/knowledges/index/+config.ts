import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "knowledges.read" } satisfies Partial<PageConfig>;
