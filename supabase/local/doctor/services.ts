// Owns the doctor's checks of network services: the functions, storage, the web server, the model, the mail server.
// Sends one short text to the model, and no mail.
import { createTransport } from "nodemailer";
import type { Env } from "../../../edge-functions/_shared/env.ts";
import { ModelError, type ModelErrorKind } from "../../../edge-functions/_shared/models/model-errors.ts";
import { modelClient } from "../../../edge-functions/_shared/models/models.ts";
import { codeOf } from "../error-code.ts";
import { error, type Finding, ok, reasonOf } from "./finding.ts";

const TIMEOUT_MS = 15_000;

/** Legacy keys are JWTs and valid bearer tokens. Newer keys are rejected as bearer tokens. */
const serviceHeaders = ({ serviceKeys: [key = ""] }: Env): Record<string, string> => ({
  apikey: key,
  ...(key.startsWith("sb_") ? {} : { Authorization: `Bearer ${key}` }),
});

type Answer = { status: number } | { reason: string };

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (problem) {
    const cause = problem instanceof Error && problem.cause instanceof Error ? problem.cause : problem;
    return { reason: reasonOf(cause) };
  }
}

const describeAnswer = (answer: Answer) =>
  "status" in answer ? `it answered ${answer.status}` : answer.reason;

export async function checkFunctions({ SUPABASE_URL }: Pick<Env, "SUPABASE_URL">): Promise<Finding[]> {
  const names = { v1: "v1/health/public", indexing: "indexing/health/live", slack: "slack/health" };
  return await Promise.all(
    Object.entries(names).map(async ([name, path]) => {
      const answer = await ask(`${SUPABASE_URL}/functions/v1/${path}`);
      if ("status" in answer && answer.status === 200) return ok(`The function ${name} answers.`);
      return error(
        `The function ${name} does not answer at ${SUPABASE_URL} (${describeAnswer(answer)}): start or deploy it, or correct SUPABASE_URL.`,
      );
    }),
  );
}

export async function checkStorage(env: Env): Promise<Finding> {
  const answer = await ask(`${env.SUPABASE_URL}/storage/v1/bucket/files`, { headers: serviceHeaders(env) });
  if ("status" in answer && answer.status === 200) return ok("Storage answers, and has the bucket files.");
  if ("status" in answer && (answer.status === 401 || answer.status === 403)) {
    return error(
      "Storage refuses the service's key: correct SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY.",
    );
  }
  if ("status" in answer && (answer.status === 404 || answer.status === 400)) {
    return error(
      "Storage has no bucket files, so nothing can be uploaded: run the migrations again, or create it as a private bucket.",
    );
  }
  return error(
    `Storage does not answer at ${env.SUPABASE_URL} (${describeAnswer(answer)}): start it, or correct SUPABASE_URL.`,
  );
}

/**
 * The web server refuses unsafe requests from any origin but its own WEB_URL, so its response shows whether both sides
 * have the same WEB_URL.
 */
export async function checkWeb({ WEB_URL }: Env): Promise<Finding> {
  const origin = new URL(WEB_URL).origin;
  const health = await ask(`${origin}/health`);
  if (!("status" in health) || health.status !== 200) {
    return error(
      `The web server does not answer at WEB_URL, ${origin} (${describeAnswer(health)}): start it, or correct WEB_URL.`,
    );
  }
  const call = await ask(`${origin}/v1/health/public`, { method: "POST", headers: { Origin: origin } });
  if ("status" in call && call.status === 403) {
    return error(
      `The web server at ${origin} was started with another WEB_URL, so it refuses every form: give it and the functions the same.`,
    );
  }
  return ok("The web server answers at WEB_URL, and knows that address as its own.");
}

const modelFault: Record<ModelErrorKind, string> = {
  refused: "it refuses the key or the name of the model: correct OPENAI_API_KEY and the names of the models",
  too_long: "it takes less than one short question: look at the length of its context",
  rate_limited: "it has had too many calls, or the account is out of credit: look there",
  timeout: "it does not answer in time: look whether it is up",
  unavailable: "it cannot be reached: look whether it is up, or correct OPENAI_BASE_URL",
  bad_answer: "its answer is not of OpenAI's protocol: correct OPENAI_BASE_URL",
};

export async function checkModels(env: Env): Promise<Finding[]> {
  const models = modelClient(env, { retries: 0, embedTimeoutMs: TIMEOUT_MS, chatTimeoutMs: TIMEOUT_MS });
  const { chat, embedding } = models.inUse;
  const checkCall = async (setting: string, name: string, call: () => Promise<unknown>): Promise<Finding> => {
    try {
      await call();
      return ok(`The model ${name} answers.`);
    } catch (problem) {
      const why = problem instanceof ModelError ? modelFault[problem.kind] : reasonOf(problem);
      return error(`The model ${name} (${setting}) does not work: ${why}.`);
    }
  };
  return [
    await checkCall("OPENAI_EMBEDDING_MODEL", embedding, () => models.embed(["Parley"])),
    await checkCall("OPENAI_MODEL", chat, async () => {
      const stream = models.chatStream({ messages: [{ role: "user", content: "Say yes." }] });
      for await (const _event of stream) break;
    }),
  ];
}

export async function checkMail({ SMTP_URL }: Env): Promise<Finding[]> {
  if (!SMTP_URL) return [];
  const { hostname, port } = new URL(SMTP_URL);
  const transport = createTransport({
    url: SMTP_URL,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return [ok("The mail server lets us in.")];
  } catch (problem) {
    const why = codeOf(problem) === "EAUTH" ? "it refuses the login" : reasonOf(problem);
    return [error(`The mail server at ${hostname}:${port} cannot be used (${why}): correct SMTP_URL.`)];
  } finally {
    transport.close();
  }
}
