// Owns the list of the gallery's views: every page of the app by its address, its states, and the scenes of parts.
import type { OpeningName } from "./openings.ts";
import type { State } from "./samples.ts";

export interface View {
  /** Path in the app, or /scene/NAME for parts. */
  path: string;
  states: readonly (State | "error")[];
  /** What is opened over it. */
  opened?: OpeningName;
}

const id = "0193a5e0-7b1a-7cc0-8f3e-000000000001";
const LIST = ["full", "long", "empty"] as const;
const ONE = ["full", "long"] as const;
const FORM = ["full"] as const;

const all = (states: View["states"], ...paths: string[]): View[] => paths.map((path) => ({ path, states }));

const scenes = ["controls", "messages", "frames", "conversation"] as const;

const overlayViews = (path: string, ...names: OpeningName[]): View[] =>
  names.map((name) => ({ path, states: ONE, opened: name }));

export const views: readonly View[] = [
  ...scenes.map((name) => ({ path: `/scene/${name}`, states: ONE })),
  ...all(
    LIST,
    "/teams",
    "/dashboard",
    "/teams/demo/agents",
    "/teams/demo/knowledges",
    "/teams/demo/sources",
    "/teams/demo/files",
    "/teams/demo/tasks",
    "/teams/demo/users",
    "/teams/demo/roles",
    "/teams/demo/apiKeys",
    "/teams/demo/apps",
    "/teams/demo/chats",
    "/teams/demo/handovers",
    "/teams/demo/gaps",
    "/teams/demo/insights",
    `/teams/demo/source/${id}/documents`,
    `/teams/demo/agents/${id}/tests`,
    `/teams/demo/agents/${id}/versions`,
    "/admin/teams",
    "/admin/users",
    "/admin/agents",
    "/admin/knowledges",
    "/admin/sources",
    "/admin/tasks",
    "/admin/apiKeys",
    "/admin/support",
  ),
  { path: "/teams/demo/agents", states: ["error"] },
  ...all(
    ONE,
    `/teams/demo/agents/${id}`,
    `/teams/demo/agents/${id}/appearance`,
    `/teams/demo/agents/${id}/tests/${id}`,
    `/teams/demo/knowledges/${id}`,
    `/teams/demo/sources/${id}`,
    `/teams/demo/source/${id}/documents/${id}`,
    `/teams/demo/files/${id}`,
    `/teams/demo/tasks/${id}`,
    `/teams/demo/users/${id}`,
    `/teams/demo/roles/${id}`,
    `/teams/demo/apiKeys/${id}`,
    `/teams/demo/apps/${id}`,
    `/teams/demo/handovers/${id}`,
    `/teams/demo/gaps/${id}`,
    "/teams/demo/handovers/settings",
    "/teams/demo/settings",
    "/teams/demo/models",
    "/teams/demo/playground",
    `/teams/demo/playground/knowledge?id=${id}&query=leave`,
    `/chats/${id}?chatId=${id}`,
    "/onboarding",
    "/account",
    `/admin/teams/${id}`,
    `/admin/users/${id}`,
    `/admin/agents/${id}`,
    `/admin/knowledges/${id}`,
    `/admin/sources/${id}`,
    `/admin/apiKeys/${id}`,
    `/admin/support/${id}`,
    "/admin/models",
    "/admin/retention",
  ),
  ...all(
    FORM,
    "/",
    "/login",
    "/register",
    "/support",
    "/teams/create",
    "/teams/demo/agents/create",
    "/teams/demo/knowledges/create",
    "/teams/demo/sources/create",
    "/teams/demo/roles/create",
    "/teams/demo/apps/create",
  ),
  ...overlayViews(`/teams/demo/agents/${id}`, "confirm", "refused"),
  ...overlayViews(`/chats/${id}?chatId=${id}`, "passage", "table", "gone", "why"),
  ...overlayViews("/teams/demo/agents", "toast", "failure", "undo", "palette", "menu"),
];

/** A view's address on the gallery's server. */
export function addressOfView({ path, opened }: View, state: string, lang: string, theme: string): string {
  const [pathname = "", query] = path.split("?");
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ state, lang, theme, opened }))
    if (value) params.set(`gallery-${name}`, value);
  return `/gallery${pathname === "/" ? "/index" : pathname}?${params}`;
}
