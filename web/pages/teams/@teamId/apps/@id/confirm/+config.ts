import type { PageConfig } from "#web/render/page-definition.ts";

export default { permission: "apps.write", dataWaits: true } satisfies Partial<PageConfig>;
