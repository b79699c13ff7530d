// Owns the mailbox's HTTP side: maildev's JSON API for programs, pages for people.
import { Hono } from "hono";
import { liveness, readiness } from "../../../edge-functions/_shared/operation/readiness.ts";
import { listPage, MAIL_HEADERS, mailBody, mailPage, missingPage, PAGE_HEADERS } from "./pages.ts";
import type { MailStore } from "./store.ts";

/** Allows nothing across origins, because another site's page must neither read nor empty the mailbox. */
export function createMailboxApp(store: MailStore): Hono {
  const app = new Hono();
  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/health/live", liveness);
  app.get("/health/ready", readiness({}));
  app.get("/healthz", (c) => c.json(true));
  app.use(async (c, next) => {
    // A page whose own domain resolves to 127.0.0.1 would be same-origin (DNS rebinding); its Host header gives it away.
    const host = c.req.header("host") ?? "";
    if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))
      return c.json({ error: "Unknown host" }, 403);
    const origin = c.req.header("origin");
    if (c.req.method !== "GET" && origin && new URL(origin).host !== host) {
      return c.json({ error: "Other origins may not change the mailbox" }, 403);
    }
    await next();
  });
  app.get("/email", (c) => c.json(store.list()));
  app.delete("/email/all", async (c) => {
    await store.removeAll();
    return c.json(true);
  });
  app.get("/email/:id", (c) => {
    const mail = store.find(c.req.param("id"));
    return mail ? c.json(mail) : c.json({ error: "Email was not found" }, 404);
  });
  app.delete("/email/:id", async (c) => {
    const removed = await store.remove(c.req.param("id"));
    return removed ? c.json(true) : c.json({ error: "Email was not found" }, 404);
  });
  app.get("/", (c) => c.body(listPage(store.list()), 200, PAGE_HEADERS));
  app.get("/mail/:id", (c) => {
    const mail = store.find(c.req.param("id"));
    return mail ? c.body(mailPage(mail), 200, PAGE_HEADERS) : c.body(missingPage(), 404, PAGE_HEADERS);
  });
  app.get("/mail/:id/html", (c) => {
    const mail = store.find(c.req.param("id"));
    return mail ? c.body(mailBody(mail), 200, MAIL_HEADERS) : c.body(missingPage(), 404, PAGE_HEADERS);
  });
  return app;
}
