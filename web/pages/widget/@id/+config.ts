import type { PageConfig } from "#web/renderer/page-definition.ts";

export default { layout: "frame", access: "public" } satisfies PageConfig;
