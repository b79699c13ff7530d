import type { PageConfig } from "../../../renderer/page-definition.ts";

export default { layout: "frame", access: "public" } satisfies PageConfig;
