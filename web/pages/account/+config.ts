import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "account", access: "user" } satisfies PageConfig;
