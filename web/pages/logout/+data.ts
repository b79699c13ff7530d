// Logs out whoever opens the address by hand or from our own pages. A link from another site only gets the question.
import { Redirection } from "../../renderer/outcome.ts";
import type { DataContext } from "../../renderer/page-definition.ts";
import { logOut } from "../../server/log-out.ts";

export async function data({ request }: DataContext): Promise<Redirection | null> {
  const crossSite = /^(cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? "");
  if (crossSite && (await request.viewer).user) return null;
  return new Redirection(await logOut(request));
}
