// Owns how far the cited passages support a reply: checked literally first, then by the model as a judge. Never fails a reply, and
// stores nothing.
import { eitherOf } from "../_shared/language/rules.ts";
import type { ModelClient } from "../_shared/models/model-client.ts";
import type { CitablePassage, Citation } from "./citations.ts";
import { type Claim, claimsIn, withoutClaims } from "./claims.ts";
import { type Disagreement, disagreementIn } from "./disagreement.ts";
import { LiteralCheck, type LiteralFinding, type Reason } from "./literal-check.ts";
import type { Usage } from "./rewriting.ts";
import { judgeClaims } from "./support-judge.ts";
import { valuesIn } from "./values.ts";

type SupportState = "answered" | "partly" | "notFound" | "disagree" | "unchecked";

type CheckedClaim = {
  text: string;
  citations: number[];
  /** Null when unchecked. */
  supported: boolean | null;
  /** Why it is not supported. */
  reason?: Reason;
  /** The end of the claim in the reply, in UTF-16 code units; null when the claim was left out. */
  end: number | null;
};

export type Support = {
  state: SupportState;
  claims: CheckedClaim[];
  /** Two documents with different values for the same thing; otherwise empty. */
  disagreement: (Disagreement & { date: string | null })[];
};

/** Nothing was found, or nothing that could be cited. */
export const notFound: Support = { state: "notFound", claims: [], disagreement: [] };

export type CheckRequest = {
  reply: string;
  citations: Citation[];
  passages: CitablePassage[];
  /** Text whose names need no source: the question and the agent's name. */
  known: string;
};

const longestClaim = 500;

type Checked = { claims: Claim[]; findings: (LiteralFinding | "gap")[]; hasGap: boolean };

/** "I did not find …": a statement about missing information. */
const gap = eitherOf(({ denials }) => denials?.gap);
const unanswered = eitherOf(({ denials }) => denials?.unanswered);

/** The literal check of each claim. A claim without a mark is checked against everything that the reply cites, if it states a value. */
export function checkLiterally({ reply, citations, passages, known }: CheckRequest): Checked {
  const all = citations.map(({ index }) => index);
  const cited = citations.flatMap(({ index, quote }) => {
    const passage = passages.find((one) => one.index === index);
    return passage ? [{ index, quote, title: passage.title, content: passage.content }] : [];
  });
  const literal = new LiteralCheck(cited, known);
  const claims: Claim[] = [];
  const findings: Checked["findings"] = [];
  for (const claim of claimsIn(reply)) {
    const isGap = !claim.isMarked && gap.test(claim.text);
    if (!isGap && claim.citations.length === 0 && valuesIn(claim.text).length === 0) continue;
    claims.push(claim);
    findings.push(isGap ? "gap" : literal.check(claim, claim.citations.length > 0 ? claim.citations : all));
  }
  const hasLead = reply.split("\n").some(isLead);
  return { claims, findings, hasGap: hasLead || findings.includes("gap") };
}

/** A lead-in is no claim, but says what the quotes below it are. */
const isLead = (line: string) => /:\s*$/.test(line) && gap.test(line);

/** True for a reply that introduces its quotes by saying that nothing answers the question. Behind an answer, such a line denies only the rest. */
export function isAnswerDenied(reply: string): boolean {
  const [first = ""] = reply.trim().split("\n");
  return isLead(first) && unanswered.test(first) && !/\[\d/.test(first);
}

/**
 * The support of a reply with citations. Asks the model once about the undecided claims, unless it is the built-in one.
 * @returns the support with the judge's usage, null when it was not asked
 */
export async function checkSupport(
  models: ModelClient,
  request: CheckRequest & { model: string; signal: AbortSignal },
): Promise<{ support: Support; gone: Claim[]; usage: Usage | null }> {
  const { reply, citations, passages, model, signal } = request;
  const { claims, findings, hasGap } = checkLiterally(request);
  const open = claims.filter((_, at) => findings[at] === "open");
  const { votes, usage } = await judgeClaims(models, { claims: open, passages, model, signal });
  const isJudged = new Map(open.map((claim, at) => [claim, votes[at] ?? null]));
  const gone: Claim[] = [];
  const checked: CheckedClaim[] = [];
  claims.forEach((claim, at) => {
    const finding = findings[at];
    if (!finding || finding === "gap") return;
    const about = { text: claim.text.slice(0, longestClaim), citations: claim.citations, end: claim.end };
    const vote = models.inUse.offline || finding === "verbatim" ? true : isJudged.get(claim);
    const reason =
      finding !== "open" && finding !== "verbatim" ? finding : vote === false ? "judge" : undefined;
    if (reason) {
      gone.push(claim);
      checked.push({ ...about, supported: false, reason });
    } else checked.push({ ...about, supported: vote ? true : null });
  });
  const disagreement = disagreementIn(reply, citations, passages).map((one) => ({ ...one, date: null }));
  return {
    support: {
      state: isAnswerDenied(reply) ? "notFound" : stateOf(checked, hasGap, disagreement.length > 0),
      claims: checked,
      disagreement,
    },
    gone,
    usage,
  };
}

/** Removes unsupported claims from a reply, and updates the positions of the others. */
export function leaveOut(
  reply: string,
  support: Support,
  gone: Claim[],
): { reply: string; support: Support } {
  if (gone.length === 0) return { reply, support };
  const left = withoutClaims(reply, gone);
  const standing = claimsIn(left);
  const claims = support.claims.map((claim): CheckedClaim => {
    if (claim.supported === false) return { ...claim, end: null };
    const at = standing.findIndex(({ text }) => text.slice(0, longestClaim) === claim.text);
    return { ...claim, end: at < 0 ? null : (standing.splice(at, 1)[0]?.end ?? null) };
  });
  return { reply: left, support: { ...support, claims } };
}

function stateOf(claims: CheckedClaim[], hasGap: boolean, isDisagreeing: boolean): SupportState {
  const has = (supported: boolean | null) => claims.some((claim) => claim.supported === supported);
  if (isDisagreeing) return "disagree";
  if (claims.length > 0 && !has(true) && !has(null)) return "notFound";
  if (hasGap || has(false)) return claims.length === 0 ? "notFound" : "partly";
  return has(null) || claims.length === 0 ? "unchecked" : "answered";
}
