// vike's part in the app: it finds the pages and their routes, and bundles them. It renders nothing: only
// request/answer-page.ts runs +Page and the files beside it.
import type { Config } from "vike/types";

export default {
  clientRouting: false,
  meta: {
    Page: { env: { server: true, client: false } },
    data: { env: { server: true } },
    layout: { env: { server: true } },
    access: { env: { server: true } },
    permission: { env: { server: true } },
    dataWaits: { env: { server: true } },
    title: { env: { server: true } },
    action: { env: { server: true } },
  },
} satisfies Config;
