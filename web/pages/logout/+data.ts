// Logs out a user who types the address or comes from our own pages. A link from another site only shows the confirmation.
import { Redirection } from "../../render/outcome.ts";
import type { DataContext } from "../../render/page-definition.ts";
import { logOut } from "./log-out.ts";

export async function data({ request }: DataContext): Promise<Redirection | null> {
  const crossSite = /^(cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? "");
  if (crossSite && (await request.viewer).user) return null;
  return new Redirection(await logOut(request));
}
