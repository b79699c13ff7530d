import type { Config } from "vike/types";

export default { layout: "account", access: "team" } satisfies Config;
