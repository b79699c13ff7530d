// For every page below without a setting of its own.
import type { PageConfig } from "#web/render/page-definition.ts";

export default { layout: "default", access: "team" } satisfies Partial<PageConfig>;
