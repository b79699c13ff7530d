import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "apps.write" } satisfies Partial<PageConfig>;
