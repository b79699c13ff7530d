import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "teams", access: "user" } satisfies PageConfig;
