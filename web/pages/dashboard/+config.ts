import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "dashboard", access: "team" } satisfies PageConfig;
