// Owns tools in the chat protocol: which tools a model is offered, which calls it streams, and the conversation for a model without
// tools. Must not run a tool.
// Source: https://platform.openai.com/docs/guides/function-calling
import { APIError, type OpenAI } from "openai";
import { sentenceOf } from "../text/sentences.ts";
import { ModelError } from "./model-errors.ts";

/** @param parameters a JSON schema */
export type Tool = { name: string; description: string; parameters: Record<string, unknown> };

/** As the model wrote it: the name may not be a tool's, and the arguments may not be JSON. */
export type ToolCall = { id: string; name: string; arguments: string };

export type ChatMessage =
  | { role: "system" | "user" | "assistant"; content: string }
  /** For a model that reads images: data URLs. */
  | { role: "user"; content: string; images: string[] }
  | { role: "assistant"; content: string; toolCalls: ToolCall[] }
  | { role: "tool"; content: string; toolCallId: string };

/** Characters of all calls in a reply, and number of calls. A model that exceeds them is stuck in a loop. */
const longestCalls = 40_000;
const mostCalls = 32;

/** How long a model's refusal of tools is cached; its operator may enable them meanwhile. */
const refusedForMs = 10 * 60_000;
const mostRefusals = 500;
const refusals = new Map<string, number>();

/** True when a model recently refused tools. @param address of its provider */
export const knowsNoTools = (address: string, model: string): boolean =>
  (refusals.get(`${address} ${model}`) ?? 0) > Date.now();

export function noteRefusal(address: string, model: string): void {
  if (refusals.size >= mostRefusals) refusals.clear();
  refusals.set(`${address} ${model}`, Date.now() + refusedForMs);
}

/** Each server words it differently: the model, or the way the server was started, does not support tools. */
export function refusesTools(error: unknown): boolean {
  if (!(error instanceof APIError) || ![400, 404, 405, 422, 501].includes(error.status ?? 0)) return false;
  if (error.code === "model_not_found" || error.code === "context_length_exceeded") return false;
  return /tool|function/i.test(`${error.param ?? ""} ${error.message}`);
}

export function toProtocol(messages: ChatMessage[]): OpenAI.ChatCompletionMessageParam[] {
  return messages.map((message) => {
    if ("toolCallId" in message) {
      return { role: "tool", content: message.content, tool_call_id: message.toolCallId };
    }
    if ("images" in message) {
      const pictures = message.images.map((url) => ({
        type: "image_url" as const,
        image_url: { url, detail: "high" as const },
      }));
      return { role: "user", content: [{ type: "text", text: message.content }, ...pictures] };
    }
    if (!("toolCalls" in message)) return { role: message.role, content: message.content };
    return {
      role: "assistant",
      content: message.content || null,
      tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    };
  });
}

export const toolsOf = (tools: Tool[]): OpenAI.ChatCompletionTool[] =>
  tools.map((tool) => ({ type: "function", function: tool }));

/** The conversation for a model without tools: the tools' results are placed before the question. */
export function withoutTools(messages: ChatMessage[]): ChatMessage[] {
  const found = messages.filter((message) => "toolCallId" in message).map(({ content }) => content);
  const said = messages.filter((message) => !("toolCallId" in message || "toolCalls" in message));
  if (found.length === 0) return said;
  const question = said.findLastIndex(({ role }) => role === "user");
  return said.toSpliced(Math.max(question, 0), 0, { role: "user", content: found.join("\n\n") });
}

/** All text of a message that the model reads. */
export const textOf = (message: ChatMessage): string =>
  "toolCalls" in message
    ? `${message.content}${message.toolCalls.map((call) => call.id + call.name + call.arguments).join("")}`
    : message.content;

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall;

/** Assembles the tool calls of a streamed reply. Arguments arrive in pieces, and servers number calls in different ways. */
export class ToolCallReader {
  readonly #calls: { index: number | undefined; id: string; name: string; arguments: string }[] = [];
  #length = 0;

  /** @throws ModelError when the calls exceed the limits */
  push(deltas: Delta[] | null | undefined): void {
    for (const delta of deltas ?? []) {
      const { index, id, function: called } = delta;
      const open = this.#calls.findLast((call) => call.index === index);
      // A new id with a name starts another call, even on servers that use one index for all calls.
      const isOther = open !== undefined && id && called?.name && open.id !== "" && open.id !== id;
      const call = open && !isOther ? open : this.#begin(index);
      call.id ||= id ?? "";
      call.name ||= called?.name ?? "";
      const piece = called?.arguments;
      // Some servers send the arguments as an object.
      call.arguments += typeof piece === "string" ? piece : piece ? JSON.stringify(piece) : "";
      this.#length += (id?.length ?? 0) + (called?.name?.length ?? 0) + (piece?.length ?? 0);
    }
    if (this.#length > longestCalls || this.#calls.length > mostCalls) {
      throw new ModelError("bad_answer", sentenceOf("toolCalls"));
    }
  }

  #begin(index: number | undefined) {
    const call = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }

  /** Returns the calls, each with a unique id, which its result refers to. */
  calls(): ToolCall[] {
    const ids = new Set<string>();
    return this.#calls.map(({ id, name, arguments: given }, at) => {
      const own = id === "" || ids.has(id) ? `call_${at + 1}` : id;
      ids.add(own);
      return { id: own, name, arguments: given };
    });
  }
}
