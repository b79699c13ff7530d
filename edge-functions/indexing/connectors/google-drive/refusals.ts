// Owns the meaning of Google Drive's failures: which of them concern one file, which the account, and how long to wait. Source:
// developers.google.com/workspace/drive/api/guides/handle-errors.
import { retryAfterMs } from "../../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { hasFailed, ItemGone, ItemUnreadable, SourceRefused, SourceUnavailable } from "../connector.ts";
import type { Service } from "../http.ts";
import * as answers from "./answers.ts";

/** The wait when a limit states no time. */
const leastMs = 60_000;
const hourMs = 60 * leastMs;

export const tooLargeToExport = sentenceOf("googleDriveExport");

/** Google no longer accepts a position in a list or among the changes. */
export class PositionLost extends Error {
  override readonly name = "PositionLost";
}
/** The token or the key is refused. */
export class Unauthorized extends SourceRefused {}
export class TooLargeToExport extends ItemUnreadable {}

const limits = new Set(["rateLimitExceeded", "userRateLimitExceeded", "sharingRateLimitExceeded"]);
const dayLimits = new Set(["dailyLimitExceeded", "quotaExceeded"]);
/** Reasons that concern one file, not the account. */
const hidden = new Set(["insufficientFilePermissions", "appNotAuthorizedToFile"]);

/** Google hides this file from the account. */
export const isHiddenFile = (status: number, body: unknown) =>
  status === 403 && hidden.has(reasonOf(body).reason);

function reasonOf(body: unknown): { reason: string; location?: string | null | undefined } {
  const [first] = answers.failure.safeParse(body).data?.error.errors ?? [];
  return first ?? { reason: "" };
}

/** Interprets a refusal of one file's bytes, which does not affect other files. */
export function refusedFile(status: number, body: unknown): Error | undefined {
  if (status !== 403) return undefined;
  const { reason } = reasonOf(body);
  if (reason === "cannotDownloadAbusiveFile") return new ItemUnreadable(sentenceOf("googleDriveHarmful"));
  if (reason === "downloadQuotaExceeded") return new ItemUnreadable(sentenceOf("googleDriveOften"));
  return undefined;
}

/** A 403 is a rate limit, a document's size, a disabled API or a missing permission, depending on its reason. */
export const explainFor =
  ({ name, renew }: Service) =>
  (status: number, body: unknown, headers: Headers): Error | undefined => {
    const { reason, location } = reasonOf(body);
    const isLimit = status === 429 || (status === 403 && (limits.has(reason) || dayLimits.has(reason)));
    if (isLimit)
      return new SourceUnavailable(
        sentenceOf("calledTooOften", { service: "Google Drive" }),
        retryAfterMs(headers) ?? (dayLimits.has(reason) ? hourMs : leastMs),
      );
    if (status === 401)
      return new Unauthorized(
        sentenceOf("credentialsRefused", { service: name, advice: renew }),
        "credentials",
      );
    if (status === 410 || (status === 400 && location === "pageToken")) return new PositionLost(reason);
    if (status === 403 && reason === "accessNotConfigured")
      return new SourceRefused(sentenceOf("googleDriveDisabled"), "credentials");
    if (status === 403 && reason === "insufficientPermissions")
      return new SourceRefused(sentenceOf("googleDriveScope"), "credentials");
    if (status === 403 && reason === "domainPolicy")
      return new SourceRefused(sentenceOf("googleDrivePolicy"), "credentials");
    if (status === 403 && reason === "exportSizeLimitExceeded") return new TooLargeToExport(tooLargeToExport);
    // A shared drive that the account was removed from.
    if (status === 403 && reason === "teamDriveMembershipRequired")
      return new ItemGone("not a member of the drive");
    return undefined;
  };

/** Google fails to export some large documents every time: one of them must not block the others. */
export function asItemFailure(error: unknown): unknown {
  if (!hasFailed(error)) return error;
  return new ItemUnreadable(sentenceOf("googleDriveExportFailed"), { cause: error });
}
