// The area has no page of its own: it begins with the teams.
import { redirect } from "vike/abort";

export function data(): never {
  throw redirect("/admin/teams");
}
