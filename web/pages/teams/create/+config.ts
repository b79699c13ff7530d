import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { layout: "teams", access: "user" } satisfies PageConfig;
