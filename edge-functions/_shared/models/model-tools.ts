// Owns tools in the chat protocol: which tools a model is offered, which calls it streams, and the conversation for a model without
// tools. Must not run a tool.
// Source: https://platform.openai.com/docs/guides/function-calling
import type { OpenAI } from "openai";
import { sentenceOf } from "../text/sentences.ts";
import { ModelError } from "./model-errors.ts";

/** @param parameters a JSON schema */
export type Tool = { name: string; description: string; parameters: Record<string, unknown> };

/** As the model wrote it: the name may not be a tool's, and the arguments may not be JSON. */
export type ToolCall = {
  id: string;
  name: string;
  arguments: string;
  /** What the provider wants back with the call: Gemini's thought signature. Source: ai.google.dev/gemini-api/docs/thought-signatures. */
  extra?: unknown;
};

type PlainMessage = { role: "system" | "user" | "assistant"; content: string };

export type ChatMessage =
  | PlainMessage
  /** For a model that reads images: data URLs. */
  | { role: "user"; content: string; images: string[] }
  | { role: "assistant"; content: string; toolCalls: ToolCall[] }
  | { role: "tool"; content: string; toolCallId: string };

/** Characters of all calls in a reply, and number of calls. A model that exceeds them is stuck in a loop. */
const longestCalls = 40_000;
const mostCalls = 32;

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
      tool_calls: message.toolCalls.map(({ id, name, arguments: given, extra }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
        ...(extra === undefined ? {} : { extra_content: extra }),
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

/** The conversation for a model whose template knows no system: the rules stand before what a person says first. */
export const withoutSystem = (messages: ChatMessage[]): ChatMessage[] =>
  messages.map((message) =>
    message.role === "system" ? { role: "user", content: message.content } : message,
  );

/** Joins neighbours of one role, as after a failed reply: the chat templates of local models refuse two in turn. */
export function takingTurns(messages: ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last && isPlain(last) && isPlain(message) && last.role === message.role) {
      turns[turns.length - 1] = { role: last.role, content: `${last.content}\n\n${message.content}` };
    } else turns.push(message);
  }
  return turns;
}

const isPlain = (message: ChatMessage): message is PlainMessage =>
  !("images" in message || "toolCalls" in message || "toolCallId" in message);

/** All text of a message that the model reads. */
export const textOf = (message: ChatMessage): string =>
  "toolCalls" in message
    ? `${message.content}${message.toolCalls.map((call) => call.id + call.name + call.arguments).join("")}`
    : message.content;

/** A new id with a name starts another call, even on servers that use one index for all calls. */
const isOtherId = (open: ToolCall, id: string) => open.id !== "" && open.id !== id;

/** Gemini sends whole calls, without ids and with one index or none. Source: openai/openai-python#2806, QuantumNous/new-api#2701. */
function isWhole(open: ToolCall): boolean {
  try {
    return open.name !== "" && typeof JSON.parse(open.arguments) === "object";
  } catch {
    return false;
  }
}

type Delta = Partial<OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall> & { extra_content?: unknown };

/** Assembles the tool calls of a streamed reply. Arguments arrive in pieces, and servers number calls in different ways. */
export class ToolCallReader {
  readonly #calls: (ToolCall & { index: number | undefined })[] = [];
  #length = 0;

  /** @throws ModelError when the calls exceed the limits */
  push(deltas: Delta[] | null | undefined): void {
    for (const delta of deltas ?? []) {
      const { index, id, function: called, extra_content: extra } = delta;
      const open = this.#calls.findLast((call) => call.index === index);
      const isOther = open !== undefined && called?.name && (id ? isOtherId(open, id) : isWhole(open));
      const call = open && !isOther ? open : this.#begin(index);
      call.id ||= id ?? "";
      call.name ||= called?.name ?? "";
      call.extra ??= extra;
      const piece = called?.arguments;
      // Some servers send the arguments as an object.
      const given = typeof piece === "string" ? piece : piece ? JSON.stringify(piece) : "";
      call.arguments += given;
      this.#length += (id?.length ?? 0) + (called?.name?.length ?? 0) + given.length;
    }
    if (this.#length > longestCalls || this.#calls.length > mostCalls) {
      throw new ModelError("bad_answer", sentenceOf("toolCalls"));
    }
  }

  #begin(index: number | undefined) {
    const call: ToolCall & { index: number | undefined } = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }

  /** Returns the calls, each with a unique id, which its result refers to. */
  calls(): ToolCall[] {
    const ids = new Set<string>();
    return this.#calls.map(({ id, name, arguments: given, extra }, at) => {
      const own = id === "" || ids.has(id) ? `call_${at + 1}` : id;
      ids.add(own);
      return { id: own, name, arguments: given, ...(extra === undefined ? {} : { extra }) };
    });
  }
}
