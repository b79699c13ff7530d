import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "frame", access: "public" } satisfies PageConfig;
