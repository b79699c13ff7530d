// Owns how real providers differ from OpenAI behind their compatible addresses: what they refuse, and the form of their errors. Each is as
// its users report it. Sends nothing.
// Sources: docs.mistral.ai/api, ai.google.dev/gemini-api/docs/openai and …/thought-signatures, platform.claude.com/docs (OpenAI SDK
// compatibility), platform.openai.com/docs/guides/reasoning.

type Body = Record<string, unknown>;
type Refusal = { status: number; body: unknown };
export type Dialect = (body: Body) => Refusal | undefined;

const extraForbidden = (...loc: string[]): Refusal => ({
  status: 422,
  body: {
    object: "error",
    message: {
      detail: [
        {
          type: "extra_forbidden",
          loc: ["body", ...loc],
          msg: "Extra inputs are not permitted",
          input: true,
        },
      ],
    },
    type: "invalid_request_error",
    param: null,
    code: null,
  },
});
const inputsOf = ({ input }: Body): string[] => (Array.isArray(input) ? input.map(String) : []);

/** Knows neither `stream_options` nor `max_completion_tokens`, and embeds 16,384 tokens at once. */
export const mistral: Dialect = (body) => {
  if ("stream_options" in body) return extraForbidden("stream_options", "include_usage");
  if ("max_completion_tokens" in body) return extraForbidden("max_completion_tokens");
  const tokens = Math.ceil(inputsOf(body).join("").length / 4);
  if (tokens <= 16_384) return undefined;
  const message = "Too many tokens overall, split into more batches.";
  return {
    status: 400,
    body: { object: "error", message, type: "invalid_request_prompt", param: null, code: "3210" },
  };
};

/** Embeds 100 texts at once, and wants the signature of a call's thoughts back. Its errors are lists. */
export const gemini: Dialect = (body) => {
  const refuse = (message: string): Refusal => ({
    status: 400,
    body: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }],
  });
  if (inputsOf(body).length > 100)
    return refuse("* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n");
  const calls = ((body.messages ?? []) as Body[]).flatMap(({ tool_calls }) => (tool_calls ?? []) as Body[]);
  const isSigned = ({ extra_content }: Body) =>
    JSON.stringify(extra_content ?? "").includes("thought_signature");
  if (calls.every(isSigned)) return undefined;
  return refuse("Function call is missing a thought_signature in functionCall parts.");
};

/** Claude since Opus 4.7: samples as it likes. */
export const claude: Dialect = (body) =>
  body.temperature === undefined
    ? undefined
    : {
        status: 400,
        body: {
          error: {
            code: "invalid_request_error",
            message: "`temperature` is deprecated for this model.",
            type: "invalid_request_error",
            param: null,
          },
        },
      };

/** The same through OpenRouter, which wraps the error of the provider in its own. */
export const openRouter: Dialect = (body) => {
  const refused = claude(body);
  const raw = JSON.stringify(refused?.body);
  const error = {
    message: "Provider returned error",
    code: 400,
    metadata: { raw, provider_name: "Anthropic" },
  };
  return refused && { status: 400, body: { error, user_id: "user_1" } };
};

/** OpenAI's reasoning models. */
export const reasoning: Dialect = (body) => {
  if (!("max_tokens" in body)) return undefined;
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const error = {
    message,
    type: "invalid_request_error",
    param: "max_tokens",
    code: "unsupported_parameter",
  };
  return { status: 400, body: { error } };
};

/** vLLM with a model that reads 512 tokens; a token of four characters. */
export const shortContext: Dialect = (body) => {
  const longest = Math.max(0, ...inputsOf(body).map((text) => Math.ceil(text.length / 4)));
  if (longest <= 512) return undefined;
  const message = `This model's maximum context length is 512 tokens. However, you requested ${longest} tokens in the input for embedding generation.`;
  return { status: 400, body: { object: "error", message, type: "BadRequestError", param: null, code: 400 } };
};

/** llama.cpp with a batch of 512 tokens: a server's error for what is the client's. Source: ggml-org/llama.cpp#11105. */
export const smallBatch: Dialect = (body) => {
  const longest = Math.max(0, ...inputsOf(body).map((text) => Math.ceil(text.length / 4)));
  if (longest <= 512) return undefined;
  const message = `input (${longest} tokens) is too large to process. increase the physical batch size (current batch size: 512)`;
  return { status: 500, body: { error: { code: 500, message, type: "server_error" } } };
};

/** The chat template of Gemma 2, which knows no system. Source: huggingface/chat-ui#1386. */
export const noSystem: Dialect = (body) => {
  const [first] = (body.messages ?? []) as Body[];
  const message = "System role not supported";
  const refused = { object: "error", message, type: "BadRequestError", param: null, code: 400 };
  return first?.role === "system" ? { status: 400, body: refused } : strictTemplate(body);
};

/** A chat template of llama.cpp, vLLM or LM Studio. */
export const strictTemplate: Dialect = ({ messages }) => {
  const roles = ((messages ?? []) as Body[]).map(({ role }) => role);
  const doubled = roles.some((role, at) => role === roles[at + 1]);
  if (!doubled) return undefined;
  const message = "Conversation roles must alternate user/assistant/user/assistant/...";
  return { status: 400, body: { object: "error", message, type: "BadRequestError", param: null, code: 400 } };
};
