import type { Config } from "vike/types";

export default { layout: "default", access: "team" } satisfies Config;
