import type { PageConfig } from "../../../../../renderer/page-definition.ts";

export default { layout: "account", access: "team", permission: "users.read" } satisfies PageConfig;
