import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "home", access: "public" } satisfies PageConfig;
