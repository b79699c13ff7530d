import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "apps.write" } satisfies Partial<PageConfig>;
