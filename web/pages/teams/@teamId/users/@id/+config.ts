import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "account", access: "team", permission: "users.read" } satisfies PageConfig;
