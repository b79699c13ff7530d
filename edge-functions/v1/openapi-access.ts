// Owns what the OpenAPI document says about who may make a call: the credentials that it takes, and the permission that they need.
import type { Access } from "./access.ts";
import type { Declared } from "./route.ts";

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A user's access token, or a team's API key (prl_…).",
  },
  visitor: {
    type: "apiKey",
    in: "header",
    name: "X-Visitor-Token",
    description: "The `visitorToken` of a chat that was started without an account.",
  },
} as const;

type Security = Partial<Record<keyof typeof securitySchemes, string[]>>[];

const security: Record<Access, Security> = {
  open: [],
  anyone: [{}, { bearer: [] }, { visitor: [] }],
  someone: [{ bearer: [] }, { visitor: [] }],
  account: [{ bearer: [] }],
  user: [{ bearer: [] }],
  operator: [{ bearer: [] }],
  platformAdmin: [{ bearer: [] }],
};

/** The accounts that a call is for, where a bearer token alone does not say it. */
const callers: Partial<Record<Access, string>> = {
  user: "For users: an API key gets FORBIDDEN.",
  operator: "For platform admins and the service.",
  platformAdmin: "For platform admins: everyone else gets NOT_FOUND.",
};

/** The security requirements of a call, and in words what they leave open. OpenAPI 3.1 lists permissions like the scopes of OAuth. */
export function describeAccess({ access, permission }: Pick<Declared, "access" | "permission">): {
  security: Security;
  words: string[];
} {
  // A platform admin acts in every team, without a role there.
  const needed = access === "platformAdmin" ? undefined : permission;
  return {
    security: needed
      ? security[access].map((one) => (one.bearer ? { bearer: [needed] } : one))
      : security[access],
    words: [needed ? `Requires the permission ${needed}.` : [], callers[access] ?? []].flat(),
  };
}
