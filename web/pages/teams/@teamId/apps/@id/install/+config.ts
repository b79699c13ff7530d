import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { permission: "apps.write", dataWaits: true } satisfies Partial<PageConfig>;
