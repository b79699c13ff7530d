import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "apps.read" } satisfies Partial<PageConfig>;
