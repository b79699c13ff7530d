// How vike treats every page: on the server alone. `layout`, `access`, `title`, `action` and `nav` are our own keys.
import type { Config } from "vike/types";

export default {
  clientRouting: false,
  layout: "default",
  access: "team",
  // The web server answers the security headers and the cache policy itself.
  cacheControl: "",
  meta: {
    Page: { env: { server: true, client: false } },
    layout: { env: { server: true } },
    access: { env: { server: true } },
    title: { env: { server: true } },
    action: { env: { server: true } },
  },
} satisfies Config;
