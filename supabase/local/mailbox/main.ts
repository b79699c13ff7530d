// Owns the mailbox process: settings, start, end.
import { serve } from "@hono/node-server";
import { z } from "zod";
import { log } from "../../../edge-functions/_shared/operation/log.ts";
import { createMailboxApp } from "./app.ts";
import { createSmtpServer } from "./smtp.ts";
import { MailStore } from "./store.ts";

const settings = z
  .object({
    PORT: z.coerce.number().int().positive(),
    SMTP_PORT: z.coerce.number().int().positive(),
    MAILBOX_DIR: z.string().min(1),
  })
  .parse(process.env);

const store = await MailStore.open(settings.MAILBOX_DIR);
const smtp = createSmtpServer(store);
smtp.on("error", (error) => {
  log("error", error.message, { process: "mailbox" });
});
smtp.listen(settings.SMTP_PORT, "127.0.0.1");
const server = serve(
  { fetch: createMailboxApp(store).fetch, hostname: "127.0.0.1", port: settings.PORT },
  ({ port }) => log("info", "listening", { process: "mailbox", port }),
);

process.on("SIGTERM", () => {
  smtp.close(() => {});
  server.close();
  setTimeout(() => process.exit(0), 200);
});
