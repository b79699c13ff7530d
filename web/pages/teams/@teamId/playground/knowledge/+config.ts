import type { Config } from "vike/types";

export default { layout: "playground", access: "team" } satisfies Config;
