// Owns what `npm run mutation` mutates, by area: code that decides, each file with the unit tests that must fail (named without tests/unit
// and their ending). policies.ts mutates the SQL policies. Runs nothing.
export const areas = {
  auth: {
    "edge-functions/_shared/requests/auth.ts": ["callers", "security-tokens"],
    "edge-functions/_shared/requests/platform-keys.ts": ["callers", "settings"],
    "edge-functions/_shared/secrets/sealing.ts": ["sealing"],
    "edge-functions/_shared/secrets/same-text.ts": ["sealing"],
    "edge-functions/slack/signature.ts": ["slack-signature"],
    "web/request/session.ts": ["web-session-cookies"],
    "web/request/cookies.ts": ["web-session-cookies"],
    "web/request/origin.ts": ["web-session-cookies"],
    "web/request/safe-next.ts": ["web-addresses", "web-session-cookies"],
  },
  limits: {
    "edge-functions/_shared/requests/client-address.ts": ["client-addresses"],
    "edge-functions/_shared/requests/limits.ts": ["client-addresses", "limits"],
    "edge-functions/_shared/requests/usage-limits.ts": ["limits"],
    "edge-functions/v1/request-counts.ts": ["request-counts"],
    "edge-functions/indexing/budget.ts": ["indexing-parts"],
  },
  outbound: {
    "edge-functions/_shared/outbound/addresses.ts": ["outbound"],
    "edge-functions/_shared/outbound/outbound.ts": ["outbound", "outbound-calls"],
    "edge-functions/_shared/outbound/connections.ts": ["outbound", "outbound-calls"],
    "edge-functions/_shared/outbound/outbound-fetch.ts": ["outbound-calls"],
    "edge-functions/_shared/outbound/bounded-answer.ts": ["outbound-calls"],
  },
  queue: {
    "edge-functions/_shared/outbound/retry.ts": ["retry", "outbound", "indexing-parts"],
    "edge-functions/indexing/queue.ts": ["queue-claims"],
    "edge-functions/slack/queue.ts": ["queue-claims"],
  },
  policies: {
    "edge-functions/v1/access.ts": ["access"],
    "web/request/policy.ts": ["page-policy"],
    "web/request/current-team.ts": ["page-policy"],
    "web/render/route-rules.ts": ["web-route-rules"],
  },
  citations: {
    "edge-functions/answering/citations.ts": ["answering-citations"],
    "edge-functions/answering/claims.ts": ["answering-support"],
    "edge-functions/answering/citation-pages.ts": ["answering-citation-pages"],
    "edge-functions/answering/cited-rows.ts": ["answering-cited-rows"],
    "edge-functions/answering/literal-check.ts": ["answering-support", "answering-literal"],
    "edge-functions/answering/support.ts": ["answering-support", "answering-support-check"],
    "edge-functions/answering/values.ts": ["answering-support", "answering-literal"],
  },
};
