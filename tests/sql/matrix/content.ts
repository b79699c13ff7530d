// The matrix of agents, files, sources and documents.
import { randomUUID } from "node:crypto";
import { holding } from "../../support/actors.ts";
import { fileRow, fileVersionRow } from "../content-rows.ts";
import { qaEntryRow } from "../qa-entry-rows.ts";
import type { World } from "../world.ts";
import { atWork, nobody, type Row, type Subject, theOutsider } from "./cells.ts";

export const agents: Subject[] = [
  {
    table: "public.agents",
    row: "a private agent",
    key: (w) => ({ id: w.agent }),
    select: [...holding("agents.read"), "answering agent"],
    insert: { row: (w) => ({ team_id: w.team, name: "New" }), by: holding("agents.write") },
    update: { to: () => ({ instructions: "Changed" }), by: holding("agents.write") },
    delete: holding("agents.write"),
  },
  {
    table: "public.agents",
    row: "a public agent",
    key: (w) => ({ id: w.publicAgent }),
    // Outsiders see it as visitors do, through /v1/agents: as a user they would see all of it.
    select: [...holding("agents.read"), "visitor", "visitor through an app", "anonymous"],
    insert: { row: (w) => ({ team_id: w.otherTeam, name: "New" }), by: [...theOutsider, atWork] },
    update: { to: () => ({ visibility: "private" }), by: holding("agents.write") },
    delete: holding("agents.write"),
  },
  {
    table: "public.agent_knowledges",
    row: "an agent's knowledge",
    key: (w) => ({ agent_id: w.agent, knowledge_id: w.knowledge }),
    select: holding("agents.read"),
    insert: {
      row: (w) => ({ team_id: w.team, agent_id: w.publicAgent, knowledge_id: w.knowledge }),
      by: holding("agents.write", "knowledges.read"),
    },
    update: { to: (w) => ({ knowledge_id: w.otherKnowledge }), by: nobody },
    delete: holding("agents.write"),
  },
];

export const content: Subject[] = [
  {
    table: "public.files",
    row: "a file",
    key: (w) => ({ id: w.file }),
    select: holding("files.read"),
    insert: { row: (w) => fileRow(w, randomUUID()), by: nobody },
    update: { to: () => ({ name: "changed.txt" }), by: nobody },
    // A delete has to find it, which needs the read permission that the custom role lacks.
    delete: holding("files.write", "files.read"),
    deleteUnseen: holding("files.write"),
  },
  {
    table: "public.file_versions",
    row: "a version of a file, which nobody changes",
    key: (w) => ({ file_id: w.file }),
    select: holding("files.read"),
    insert: { row: (w) => fileVersionRow(w, 99), by: nobody },
    update: { to: () => ({ name: "changed.txt" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.sources",
    row: "a source",
    key: (w) => ({ id: w.source }),
    select: holding("sources.read"),
    insert: { row: (w) => ({ team_id: w.team, type: "jira", name: "New" }), by: holding("sources.write") },
    update: { to: () => ({ name: "Changed" }), by: holding("sources.write") },
    delete: holding("sources.write"),
  },
  {
    table: "private.source_credentials",
    row: "a source's credentials",
    key: (w) => ({ source_id: w.source }),
    select: nobody,
    insert: {
      row: (w) => ({ source_id: w.otherSource, team_id: w.team, ciphertext: "\\x00" }),
      by: nobody,
    },
    update: { to: () => ({ ciphertext: "\\x01" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.documents",
    row: "a document of the answering agent's knowledge",
    key: (w) => ({ id: w.document }),
    select: [...holding("sources.read"), "answering agent"],
    insert: { row: newDocument, by: holding("sources.write") },
    update: { to: () => ({ title: "Changed" }), by: holding("sources.write") },
    delete: holding("sources.write"),
  },
  {
    table: "public.documents",
    row: "a document of no knowledge",
    key: (w) => ({ id: w.otherDocument }),
    select: holding("sources.read"),
    insert: { row: (w) => ({ ...newDocument(w), status: "ready" }), by: nobody },
    update: { to: () => ({ status: "ready" }), by: nobody },
    delete: holding("sources.write"),
  },
  {
    table: "public.qa_entries",
    row: "a written answer",
    key: (w) => ({ id: w.qaEntry }),
    select: holding("sources.read"),
    insert: { row: (w) => ({ ...qaEntryRow(w), question: "How much?" }), by: holding("sources.write") },
    update: { to: () => ({ answer: "27 days." }), by: holding("sources.write") },
    delete: holding("sources.write"),
  },
  {
    table: "public.qa_entries",
    row: "who reviewed a written answer, which nobody says themselves",
    key: (w) => ({ id: w.qaEntry }),
    select: holding("sources.read"),
    insert: {
      row: (w) => ({ ...qaEntryRow(w), question: "How often?", reviewed_by: w.people.owner }),
      by: nobody,
    },
    update: { to: () => ({ reviewed_at: "2026-01-01T00:00:00Z" }), by: nobody },
    delete: holding("sources.write"),
  },
];

function newDocument(world: World): Row {
  return {
    team_id: world.team,
    source_id: world.source,
    external_id: randomUUID(),
    type: "text",
    title: "New",
    content: "What it says.",
  };
}
