import type { PageConfig } from "../../../../../renderer/page-definition.ts";

export default { layout: "account", access: "team", permission: "roles.read" } satisfies PageConfig;
