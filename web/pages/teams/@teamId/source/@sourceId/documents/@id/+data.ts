// A document with its text, the task that indexes it, and the position of the quoted passage (?quote=).
import type { AnswerOf } from "#web/client/api-calls.ts";
import { isOpen, type Task } from "#web/client/task-state.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import { type DrawnText, drawnText } from "#web/request/document-text.ts";

export interface DocumentData {
  document: AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}">;
  source: { id: string; name: string };
  /** The document's open task. */
  task: Task | null;
  marks: DrawnText["marks"];
  tables: DrawnText["tables"];
  /** Offsets in UTF-16 code units. */
  quote: { start: number; end: number } | null;
}

/** Documents of one source may be re-indexed at once; older tasks than these are not looked for. */
const shownTasks = 10;

export async function data({ request, routeParams }: DataContext): Promise<DocumentData> {
  const teamId = teamRef(request);
  const { sourceId = "", id = "" } = routeParams;
  const [document, source, tasks] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/sources/{sourceId}/documents/{id}", { teamId, sourceId, id }),
    request.api.get("/v1/teams/{teamId}/sources/{id}", { teamId, id: sourceId }),
    request.viewer.then(async (viewer) =>
      may(viewer, "tasks.read")
        ? await request.api.get("/v1/teams/{teamId}/tasks", {
            teamId,
            sourceId,
            perPage: shownTasks,
            timeZone: request.timeZone,
          })
        : { data: [] },
    ),
  ]);
  const wanted = request.url.searchParams.get("quote") ?? "";
  // A browser may have converted line ends to CRLF.
  const words = wanted.replaceAll("\r\n", "\n");
  const text = document.content ?? "";
  const start = words ? text.indexOf(words) : -1;
  const { marks, tables } = drawnText(document);
  return {
    document,
    source,
    task: tasks.data.find((task) => isOpen(task) && task.documentId === id) ?? null,
    marks,
    tables,
    quote: start < 0 ? null : { start, end: start + words.length },
  };
}
