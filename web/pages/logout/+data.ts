// Logs out whoever opens the address by hand or from our own pages. A link from another site only gets the question.
import { redirect } from "vike/abort";
import type { PageContextServer } from "vike/types";
import { logOut } from "../../server/log-out.ts";

export async function data({ request }: PageContextServer): Promise<null> {
  const crossSite = /^(cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? "");
  if (crossSite && request.user) return null;
  throw redirect(await logOut(request));
}
