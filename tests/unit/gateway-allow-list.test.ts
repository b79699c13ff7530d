// The gateway's allow-list: which calls reach auth, REST and storage, and with which key.
import { describe, expect, it } from "vitest";
import { needsNoCredential, verdict } from "../../supabase/local/gateway/allow-list.ts";
import type { Caller, Role } from "../../supabase/local/gateway/tokens.ts";

const as = (role: Role, keyRole: Role | null = null): Caller => ({ role, keyRole, token: "t" });
const CLOSED_TO_BROWSERS = [
  ["POST", "/auth/v1/signup"],
  ["POST", "/auth/v1/token"],
  ["POST", "/auth/v1/otp"],
  ["POST", "/auth/v1/magiclink"],
  ["POST", "/auth/v1/verify"],
  ["GET", "/auth/v1/verify"],
  ["POST", "/auth/v1/recover"],
  ["POST", "/auth/v1/resend"],
  ["PUT", "/auth/v1/user"],
  ["POST", "/auth/v1/logout"],
  ["GET", "/auth/v1/authorize"],
  ["GET", "/auth/v1/reauthenticate"],
  ["GET", "/auth/v1/whatever"],
  ["GET", "/storage/v1/bucket"],
  ["GET", "/storage/v1/object/files/a"],
  ["POST", "/storage/v1/object/files/a"],
  ["POST", "/storage/v1/object/sign/files/a"],
  ["GET", "/rest/v1/"],
  ["GET", "/rest/v1//"],
  ["GET", "/rest/v1/rpc/"],
  ["GET", "/rest/v1/%2f"],
] as const;

describe("verdict", () => {
  it.each(CLOSED_TO_BROWSERS)("%s %s is for the service key only", (method, path) => {
    expect(verdict(method, path, as("anon", "anon"))).toBe("forbidden");
    expect(verdict(method, path, as("authenticated", "anon"))).toBe("forbidden");
    expect(verdict(method, path, as("service_role", "service_role"))).toBe("open");
  });

  it("lets the service call with its key as the bearer alone", () => {
    expect(verdict("POST", "/auth/v1/signup", as("service_role"))).toBe("open");
  });

  it("lets the API act for a user with the service key beside the user's token", () => {
    expect(verdict("PUT", "/auth/v1/user", as("authenticated", "service_role"))).toBe("open");
    expect(verdict("POST", "/auth/v1/logout", as("authenticated", "service_role"))).toBe("open");
  });

  it("does not accept the service key as the bearer in storage", () => {
    expect(verdict("GET", "/storage/v1/bucket", as("authenticated", "service_role"))).toBe("forbidden");
  });

  it("leaves rows to row-level security", () => {
    for (const role of ["anon", "authenticated", "service_role"] as const) {
      expect(verdict("DELETE", "/rest/v1/teams", as(role))).toBe("open");
      expect(verdict("POST", "/rest/v1/rpc/create_team", as(role))).toBe("open");
    }
    expect(verdict("GET", "/auth/v1/user", as("authenticated"))).toBe("open");
  });

  it.each(["/_system/info", "/", "/graphql/v1", "/auth/v2/user", "/functions/v1x", "/pg/tables"])(
    "has no %s, even with the service key",
    (path) => {
      expect(verdict("GET", path, as("service_role", "service_role"))).toBe("missing");
    },
  );
});

describe("needsNoCredential", () => {
  const token = new URLSearchParams({ token: "x" });
  const none = new URLSearchParams();

  it("admits what hosted Supabase serves to everyone, for reading only", () => {
    for (const path of ["/auth/v1/health", "/auth/v1/settings", "/auth/v1/.well-known/jwks.json"]) {
      expect(needsNoCredential("GET", path, none)).toBe(true);
      expect(needsNoCredential("POST", path, none)).toBe(false);
    }
  });

  it("admits signed URLs, each for its own method", () => {
    for (const method of ["GET", "HEAD"])
      expect(needsNoCredential(method, "/storage/v1/object/sign/files/a/b", token)).toBe(true);
    expect(needsNoCredential("PUT", "/storage/v1/object/upload/sign/files/a/b", token)).toBe(true);
    expect(needsNoCredential("GET", "/storage/v1/object/sign/files/a/b", none)).toBe(false);
    expect(needsNoCredential("POST", "/storage/v1/object/sign/files/a/b", token)).toBe(false);
    expect(needsNoCredential("DELETE", "/storage/v1/object/upload/sign/files/a/b", token)).toBe(false);
    expect(needsNoCredential("GET", "/storage/v1/object/files/a", token)).toBe(false);
  });
});
