import type { Config } from "vike/types";

export default { layout: "auth", access: "loggedOutOnly" } satisfies Config;
