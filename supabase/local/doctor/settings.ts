// Owns the doctor's checks of the settings: missing ones, malformed ones, and valid ones that are rarely intended.
// Never prints a secret.
import { type Env, readEnv } from "../../../edge-functions/_shared/env.ts";
import { error, type Finding, notice, ok } from "./finding.ts";

/** The settings as the functions read them; undefined when the functions would refuse to start. */
export function checkSettings(
  variables: Record<string, string | undefined>,
  isHosted: boolean,
): { findings: Finding[]; env: Env | undefined } {
  let env: Env;
  try {
    env = readEnv(variables);
  } catch (problem) {
    const says = problem instanceof Error ? problem.message : String(problem);
    return { findings: [error(`${says} No function starts without them.`)], env: undefined };
  }
  const findings = [
    ok("Every setting can be read."),
    ...checkPublicAddress(env, isHosted),
    ...checkParts(env),
  ];
  return { findings, env };
}

/** True when an address points to this machine only. */
export const isThisMachine = (url: string): boolean =>
  /^(?:localhost|127\.|\[::1\])/.test(new URL(url).hostname);

function checkPublicAddress({ WEB_URL, TRUSTED_PROXIES }: Env, isHosted: boolean): Finding[] {
  const { protocol, pathname } = new URL(WEB_URL);
  const findings: Finding[] = [];
  if (pathname !== "/") {
    findings.push(error(`WEB_URL has a path, ${pathname}: Parley answers at the root of a host of its own.`));
  }
  const isHere = isThisMachine(WEB_URL);
  if (isHosted && isHere) {
    findings.push(error("WEB_URL names this machine: set it to the address that people open."));
  } else if (!isHere && protocol !== "https:") {
    findings.push(
      error(
        "WEB_URL is not https, so browsers keep no session: put TLS in front, and set WEB_URL to its address.",
      ),
    );
  }
  if (isHosted && TRUSTED_PROXIES.length === 0) {
    findings.push(
      notice(
        "TRUSTED_PROXIES is empty: behind a proxy on another machine all visitors count as one client against the limits.",
      ),
    );
  }
  return findings;
}

function checkParts(env: Env): Finding[] {
  const findings: Finding[] = [];
  const slack = [env.SLACK_CLIENT_ID, env.SLACK_CLIENT_SECRET, env.SLACK_SIGNING_SECRET].filter(
    Boolean,
  ).length;
  if (slack > 0 && slack < 3) {
    findings.push(
      error(
        "Slack has some of its settings: set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET, or none.",
      ),
    );
  }
  if (env.OPENAI_MODEL === "offline-extract") {
    findings.push(
      notice(
        "The offline model answers, which only quotes: set OPENAI_API_KEY or OPENAI_BASE_URL for another.",
      ),
    );
  }
  const { hostname, port } = new URL(env.SMTP_URL ?? "smtp://none");
  if (!env.SMTP_URL)
    findings.push(error("SMTP_URL is not set: nobody can confirm an address or be invited."));
  else if (!/^(?:localhost|127\.)/.test(hostname) && (port === "25" || port === "587")) {
    findings.push(
      notice(`SMTP_URL names port ${port}, which hosted functions cannot reach: 465 and 2525 they can.`),
    );
  }
  return findings;
}
