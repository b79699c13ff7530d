// The area has no page of its own: it begins with the teams.
import { Redirection } from "#web/renderer/outcome.ts";

export function data(): Redirection {
  return new Redirection("/admin/teams");
}
