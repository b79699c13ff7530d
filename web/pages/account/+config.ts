import type { Config } from "vike/types";

export default { layout: "account", access: "user" } satisfies Config;
