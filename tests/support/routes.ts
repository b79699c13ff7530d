// Owns every route of the product's specification: its page, its layout, who may open it, and the browser test that opens it.

export interface Route {
  /** As written in the specification. */
  path: string;
  /** Folder under web/pages/. */
  page: string;
  layout: "content" | "default" | "home" | "auth" | "teams" | "account" | "chat" | "dashboard" | "playground";
  access: "public" | "loggedOutOnly" | "user" | "team";
  /** Matches the line in tests/e2e/ that opens the route. */
  opened: RegExp;
}

const team = (path: string, layout: Route["layout"], opened: RegExp, page = path): Route => ({
  path: `/teams/{teamId}/${path}`,
  page: `teams/@teamId/${page}`,
  layout,
  access: "team",
  opened,
});

const auth = (name: string, opened: RegExp, access: Route["access"] = "loggedOutOnly"): Route => ({
  path: `/${name}`,
  page: name,
  layout: "auth",
  access,
  opened,
});

const open = (path: string, page: string, layout: Route["layout"], opened: RegExp): Route => ({
  path,
  page,
  layout,
  access: "public",
  opened,
});

export const routes: Route[] = [
  open("/", "index", "home", /^\s*"\/",$/m),
  open("/{slug}", "content", "content", /"\/guides\/first-agent"/),
  open("/shopify", "shopify", "home", /"\/shopify"/),
  open("/support", "support/index", "home", /"\/support"/),
  open("/support/success", "support/success", "home", /"\/support\/success"/),
  open("/privacy-policy", "content", "content", /"\/privacy-policy"/),
  open("/terms-of-use", "content", "content", /"\/terms-of-use"/),
  auth("login", /"\/login"/),
  auth("register", /"\/register"/),
  auth("confirm", /"\/confirm\?email=/),
  auth("forgot-password", /"\/forgot-password"/),
  auth("verify", /"\/verify"/),
  auth("logout", /\/logout/, "public"),
  open("/chats/{id}", "chats/@id", "chat", /`\/chats\/\$\{/),
  { path: "/account", page: "account", layout: "account", access: "user", opened: /"\/account"/ },
  { path: "/dashboard", page: "dashboard", layout: "dashboard", access: "team", opened: /"\/dashboard"/ },
  { path: "/onboarding", page: "onboarding", layout: "default", access: "user", opened: /"\/onboarding"/ },
  { path: "/teams", page: "teams/index", layout: "teams", access: "user", opened: /"\/teams"/ },
  {
    path: "/teams/create",
    page: "teams/create",
    layout: "teams",
    access: "user",
    opened: /"\/teams\/create"/,
  },
  team("agents", "default", /"\/teams\/demo\/agents"/, "agents/index"),
  team("agents/{id}", "default", /firstRowsOf = \[[^\]]*"agents"/, "agents/@id"),
  team("apiKeys", "account", /"\/teams\/demo\/apiKeys"/, "apiKeys/index"),
  team("apiKeys/{id}", "account", /firstRowsOf = \[[^\]]*"apiKeys"/, "apiKeys/@id"),
  team("apps", "default", /"\/teams\/demo\/apps"/, "apps/index"),
  team("apps/{id}", "default", /firstRowsOf = \[[^\]]*"apps"/, "apps/@id"),
  team("chats", "default", /"\/teams\/demo\/chats"/),
  team("files", "default", /"\/teams\/demo\/files"/, "files/index"),
  team("files/{id}", "default", /firstRowsOf = \[[^\]]*"files"/, "files/@id"),
  team("knowledges", "default", /"\/teams\/demo\/knowledges"/, "knowledges/index"),
  team("knowledges/{id}", "default", /firstRowsOf = \[[^\]]*"knowledges"/, "knowledges/@id"),
  team("playground", "playground", /"\/teams\/demo\/playground"/, "playground/index"),
  team("playground/knowledge", "playground", /"\/teams\/demo\/playground\/knowledge"/),
  team("source/{id}", "default", /\/source\/\$\{/, "source/@sourceId/index"),
  team("source/{id}/documents", "default", /main ul\[aria-live\]/, "source/@sourceId/documents/index"),
  team("source/{id}/documents/{id}", "default", /main ul\[aria-live\]/, "source/@sourceId/documents/@id"),
  team("sources", "default", /"\/teams\/demo\/sources"/, "sources/index"),
  team("sources/{id}", "default", /sources\/\$\{id\}/, "sources/@id"),
  team("tasks", "default", /"\/teams\/demo\/tasks"/, "tasks/index"),
  team("tasks/{id}", "default", /firstRowsOf = \[[^\]]*"tasks"/, "tasks/@id"),
  team("users", "account", /"\/teams\/demo\/users"/, "users/index"),
  team("users/{id}", "account", /firstRowsOf = \[[^\]]*"users"/, "users/@id"),
];
