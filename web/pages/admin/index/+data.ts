// The admin area has no start page: redirects to the teams.
import { Redirection } from "#web/render/outcome.ts";

export function data(): Redirection {
  return new Redirection("/admin/teams");
}
