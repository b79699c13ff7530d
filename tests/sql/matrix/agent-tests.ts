// The matrix of agents' versions, tests and short addresses.
import { holding } from "../../support/actors.ts";
import { agentTestResultRow, agentTestRow, agentTestRunRow, agentVersionRow } from "../agent-test-rows.ts";
import { nobody, type Subject } from "./cells.ts";

export const agentTests: Subject[] = [
  {
    table: "public.agent_versions",
    row: "a version of an agent, which nobody changes",
    key: (w) => ({ id: w.agentVersion }),
    select: holding("agents.read"),
    insert: { row: (w) => agentVersionRow(w, 99), by: nobody },
    update: { to: () => ({ settings: { name: "Changed" } }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.agent_tests",
    row: "a test of an agent",
    key: (w) => ({ id: w.agentTest }),
    select: holding("agents.read"),
    insert: { row: agentTestRow, by: holding("agents.write") },
    update: { to: () => ({ question: "Changed?" }), by: holding("agents.write") },
    delete: holding("agents.write"),
  },
  {
    table: "public.agent_tests",
    row: "a test that is made of a reply",
    key: (w) => ({ id: w.agentTest }),
    select: holding("agents.read"),
    insert: {
      row: (w) => ({ ...agentTestRow(w), message_id: w.messages.viewer }),
      // The custom role may change agents and reads only its own chats.
      by: holding("agents.write", "chats.read"),
    },
    update: { to: (w) => ({ message_id: w.messages.viewer }), by: nobody },
    delete: holding("agents.write"),
  },
  {
    table: "public.agent_tests",
    row: "a test that expects a document",
    key: (w) => ({ id: w.agentTest }),
    select: holding("agents.read"),
    insert: {
      row: (w) => ({ ...agentTestRow(w), expected_document_id: w.document }),
      by: holding("agents.write", "sources.read"),
    },
    update: {
      to: (w) => ({ expected_document_id: w.document }),
      by: holding("agents.write", "sources.read"),
    },
    delete: holding("agents.write"),
  },
  {
    table: "public.agent_test_runs",
    row: "a run of an agent's tests",
    key: (w) => ({ id: w.agentTestRun }),
    select: holding("agents.read"),
    insert: { row: (w) => ({ ...agentTestRunRow(w), total: 2 }), by: nobody },
    update: { to: () => ({ status: "failed" }), by: nobody },
    delete: nobody,
  },
  {
    table: "public.agent_test_results",
    row: "a result of a run, which people overrule",
    key: (w) => ({ id: w.agentTestResult }),
    select: holding("agents.read"),
    insert: { row: (w) => agentTestResultRow(w, 99), by: nobody },
    update: { to: () => ({ overruled: "passed" }), by: holding("agents.write") },
    delete: nobody,
  },
  {
    table: "private.agent_addresses",
    row: "the short address of an agent, which nobody lists",
    key: (w) => ({ address: w.agentAddress }),
    select: nobody,
    insert: {
      row: (w) => ({ address: `b-${w.agentAddress}`, team_id: w.team, agent_id: w.agent }),
      by: nobody,
    },
    update: { to: () => ({ taken_at: "2020-01-01" }), by: nobody },
    delete: nobody,
  },
];
