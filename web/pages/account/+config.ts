import type { PageConfig } from "../../renderer/page-definition.ts";

export default { layout: "account", access: "user" } satisfies PageConfig;
