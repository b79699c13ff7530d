import type { PageConfig } from "../../renderer/page-definition.ts";

export default { layout: "home", access: "public" } satisfies PageConfig;
