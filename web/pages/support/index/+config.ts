import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { layout: "home", access: "public" } satisfies PageConfig;
