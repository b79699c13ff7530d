// Owns the words for a page that cannot be shown, for the error page and for the toast of a form that stays.
import type { TFunction } from "i18next";
import { decodePercent } from "#edge-functions/_shared/text/percent.ts";
import type { Problem } from "./answer-page.ts";
import { describeFailure } from "./describe-failure.ts";
import type { RequestScope } from "./request-scope.ts";
import { teamInPath } from "./viewer.ts";

export function problemWords(
  { status, failure, isOfAnother }: Problem,
  t: TFunction,
  request: Pick<RequestScope, "supportEmail" | "locale" | "url" | "method" | "user" | "team" | "invitations">,
): { title: string; description: string; more?: string; isOfOtherTeam?: boolean } {
  if (isOfAnother) return { title: t("app:otherAccount.title"), description: t("app:otherAccount.text") };
  const { user, team, url } = request;
  const isOfOtherTeam = user !== null && !team && teamInPath(url.pathname) !== undefined;
  // Whoever sends a form had the page before them, so nothing is wrong with its address.
  if (status === 404 && request.method === "POST")
    return {
      title: t("errors:NOT_FOUND.title"),
      description: t(isOfOtherTeam ? "app:error.teamGone" : "errors:NOT_FOUND.description"),
    };
  if (status === 404) {
    return {
      title: t("app:error.notFoundTitle"),
      description: t("app:error.notFoundMessage", { path: decodePercent(url.pathname) }),
      more: isOfOtherTeam ? notMemberText(t, request, user.email) : t("app:error.notFoundDescription"),
      isOfOtherTeam,
    };
  }
  if (failure) return describeFailure(failure, t, request, false);
  const { supportEmail } = request;
  return {
    title: t("app:error.serverTitle"),
    description: t("app:error.serverDescription", { supportEmail }),
  };
}

/** Why somebody who is logged in does not get the page of a team, and what they can do. */
export const notMemberText = (
  t: TFunction,
  { invitations }: Pick<RequestScope, "invitations">,
  email: string | undefined,
): string => t(`app:notMember.${invitations.length > 0 ? "invited" : "text"}`, { email });
