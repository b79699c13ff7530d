import type { PageConfig } from "../../render/page-definition.ts";

export default { layout: "home", access: "public" } satisfies PageConfig;
