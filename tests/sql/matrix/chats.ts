// The matrix of chats and messages.
import { type Actor, holding } from "../../support/actors.ts";
import type { World } from "../world.ts";
import { nobody, persons, type Row, readsEveryChat, type Subject, theOutsider } from "./cells.ts";

const throughTheApp = "visitor through an app" satisfies Actor;
const talksToPublicAgents: Actor[] = [...persons, "API key", "visitor", throughTheApp];
/** A private agent's: through its bound app, people in no team. */
const talksToTheAgent: Actor[] = [...holding("chats.write"), throughTheApp];
const newChat =
  (agent: "agent" | "publicAgent") =>
  (world: World): Row => ({ agent_id: world[agent], title: "New" });

export const chats: Subject[] = [
  {
    table: "public.chats",
    row: "the viewer's chat with a private agent, titled",
    key: (w) => ({ id: w.chats.viewer }),
    select: [...readsEveryChat, "viewer"],
    insert: { row: newChat("agent"), by: talksToTheAgent },
    update: { to: () => ({ title: "Changed" }), by: [...readsEveryChat, "viewer"] },
    delete: nobody,
  },
  {
    table: "public.chats",
    row: "the viewer's chat with a private agent, rated",
    key: (w) => ({ id: w.chats.viewer }),
    select: [...readsEveryChat, "viewer"],
    insert: { row: (w) => ({ ...newChat("agent")(w), user_id: w.people.viewer }), by: nobody },
    update: { to: () => ({ rating: "up" }), by: ["viewer"] },
    delete: nobody,
  },
  {
    table: "public.chats",
    row: "the removed member's chat with a private agent",
    key: (w) => ({ id: w.chats.removed }),
    select: readsEveryChat,
    insert: { row: newChat("agent"), by: talksToTheAgent },
    update: { to: () => ({ summary: "Changed" }), by: readsEveryChat },
    delete: nobody,
  },
  {
    table: "public.chats",
    row: "the outsider's chat with a public agent",
    key: (w) => ({ id: w.chats.outsider }),
    select: [...readsEveryChat, ...theOutsider],
    insert: { row: newChat("publicAgent"), by: talksToPublicAgents },
    update: { to: () => ({ comment: "Changed" }), by: theOutsider },
    delete: nobody,
  },
  {
    table: "public.chats",
    row: "the API key's chat",
    key: (w) => ({ id: w.chats["API key"] }),
    select: readsEveryChat,
    insert: { row: (w) => ({ ...newChat("publicAgent")(w), team_id: w.otherTeam }), by: nobody },
    update: { to: () => ({ rating: "down" }), by: ["API key"] },
    delete: nobody,
  },
  {
    table: "public.chats",
    row: "the visitor's chat with a public agent",
    key: (w) => ({ id: w.chats.visitor }),
    select: [...readsEveryChat, "visitor"],
    insert: { row: (w) => ({ ...newChat("publicAgent")(w), visitor_id: w.visitor }), by: nobody },
    update: { to: () => ({ rating: "up" }), by: ["visitor"] },
    delete: nobody,
  },
  {
    table: "public.chats",
    row: "a Slack thread's chat with a private agent",
    key: (w) => ({ id: w.chats[throughTheApp] }),
    select: [...readsEveryChat, throughTheApp],
    insert: { row: (w) => ({ ...newChat("agent")(w), visitor_id: w.appVisitor }), by: nobody },
    update: { to: () => ({ rating: "up" }), by: [throughTheApp] },
    delete: nobody,
  },
];

const newMessage =
  (chat: keyof World["chats"]) =>
  (world: World): Row => ({ chat_id: world.chats[chat], content: "New" });

export const messages: Subject[] = [
  {
    table: "public.messages",
    row: "a message of the viewer's chat",
    key: (w) => ({ id: w.messages.viewer }),
    select: [...readsEveryChat, "viewer"],
    insert: { row: newMessage("viewer"), by: ["viewer"] },
    update: { to: () => ({ stop_requested: true }), by: ["viewer"] },
    delete: nobody,
  },
  {
    table: "public.messages",
    row: "a message of the viewer's chat, put into the assistant's mouth",
    key: (w) => ({ id: w.messages.viewer }),
    select: [...readsEveryChat, "viewer"],
    insert: { row: (w) => ({ ...newMessage("viewer")(w), role: "assistant" }), by: nobody },
    update: { to: () => ({ content: "Changed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.messages",
    row: "a message of the removed member's chat",
    key: (w) => ({ id: w.messages.removed }),
    select: readsEveryChat,
    insert: { row: newMessage("removed"), by: nobody },
    update: { to: () => ({ stop_requested: true }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.messages",
    row: "a message of the outsider's chat with a public agent",
    key: (w) => ({ id: w.messages.outsider }),
    select: [...readsEveryChat, ...theOutsider],
    insert: { row: newMessage("outsider"), by: theOutsider },
    update: { to: () => ({ rating: "up" }), by: theOutsider },
    delete: nobody,
  },
  {
    table: "public.messages",
    row: "a message of the API key's chat",
    key: (w) => ({ id: w.messages["API key"] }),
    select: readsEveryChat,
    insert: { row: newMessage("API key"), by: ["API key"] },
    update: { to: () => ({ rating: "up" }), by: ["API key"] },
    delete: nobody,
  },
  {
    table: "public.messages",
    row: "a message of the visitor's chat with a public agent",
    key: (w) => ({ id: w.messages.visitor }),
    select: [...readsEveryChat, "visitor"],
    insert: { row: newMessage("visitor"), by: ["visitor"] },
    update: { to: () => ({ comment: "Changed" }), by: ["visitor"] },
    delete: nobody,
  },
  {
    table: "public.messages",
    row: "a message of a Slack thread's chat with a private agent",
    key: (w) => ({ id: w.messages[throughTheApp] }),
    select: [...readsEveryChat, throughTheApp],
    insert: { row: newMessage(throughTheApp), by: [throughTheApp] },
    update: { to: () => ({ rating: "up" }), by: [throughTheApp] },
    delete: nobody,
  },
];

const readsChatsAndKnowledge = holding("chats.read", "knowledges.read");

/** Not even the service: a trigger writes them, and the search reads them. */
export const messageWords: Subject[] = [
  {
    table: "private.message_words",
    row: "the words of a message in the viewer's chat",
    key: (w) => ({ message_id: w.messages.viewer }),
    select: nobody,
    insert: { row: (w) => ({ message_id: w.messages.removed, team_id: w.team, words: "word" }), by: nobody },
    update: { to: () => ({ words: "other" }), by: nobody },
    delete: nobody,
  },
];

export const replyPassages: Subject[] = [
  {
    table: "public.reply_passages",
    row: "what the reply in the viewer's chat was made from",
    key: (w) => ({ message_id: w.messages.viewer }),
    select: [...readsChatsAndKnowledge, "viewer"],
    insert: {
      row: (w) => ({ message_id: w.messages.removed, team_id: w.team, candidates: [] }),
      by: nobody,
    },
    update: { to: () => ({ candidates: [] }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.reply_passages",
    row: "what the reply in the visitor's chat was made from, which visitors do not see",
    key: (w) => ({ message_id: w.messages.visitor }),
    select: readsChatsAndKnowledge,
    insert: {
      row: (w) => ({ message_id: w.messages.removed, team_id: w.team, candidates: [] }),
      by: nobody,
    },
    update: { to: () => ({ candidates: [] }), by: nobody },
    delete: nobody,
  },
];
