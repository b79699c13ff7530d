// Owns the report of a team's import in its settings: its progress, what it imported, and what must be done by hand.
// Server only.
import { useTranslation } from "#translations";
import { isOpen, type Task } from "#web/client/task-state.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Section } from "#web/ui/Section.tsx";
import { LiveTask } from "../tasks/LiveTask.tsx";
import type { TeamImport } from "./+data.ts";

interface ImportResultProps {
  imported: TeamImport;
  task: Task | null;
  codename: string;
}

type Report = NonNullable<TeamImport["report"]>;

const broughtKinds = [
  "agents",
  "knowledges",
  "sources",
  "files",
  "documents",
  "chats",
  "messages",
  "roles",
  "apps",
] as const satisfies (keyof Report["brought"])[];

/** A team may have hundreds of each; the count shows how many. */
const NAMES_SHOWN = 10;

const listNames = (names: string[]): string =>
  names.slice(0, NAMES_SHOWN).join(", ") + (names.length > NAMES_SHOWN ? ", …" : "");

export function ImportResult({ imported: { report }, task, codename }: ImportResultProps) {
  const { t } = useTranslation("teamSettings");
  if (report) {
    return (
      <Section title={t("import.title")} description={t("import.done")}>
        <ul className="max-w-2xl list-disc space-y-1 pl-5 text-muted text-sm marker:text-faint">
          {broughtKinds
            .filter((kind) => report.brought[kind] > 0)
            .map((kind) => (
              <li key={kind}>{t(`import.brought.${kind}`, { count: report.brought[kind] })}</li>
            ))}
        </ul>
        <ToDo toDo={report.toDo} codename={codename} />
      </Section>
    );
  }
  if (!task) return null;
  return (
    <Section title={t("import.title")} description={t("import.empty")}>
      {isOpen(task) ? <LiveTask task={task} /> : <Alert tone="bad">{task.error ?? task.message}</Alert>}
    </Section>
  );
}

function ToDo({ toDo, codename }: { toDo: Report["toDo"]; codename: string }) {
  const { t } = useTranslation("teamSettings");
  const kinds = [
    { kind: "sources", page: "sources", names: toDo.sources.map(({ name }) => name) },
    { kind: "apps", page: "apps", names: toDo.apps.map(({ name }) => name) },
    { kind: "apiKeys", page: "apiKeys", names: toDo.apiKeys.map(({ name }) => name) },
    { kind: "members", page: "users", names: toDo.members.map(({ email }) => email) },
    { kind: "missingFiles", page: "files", names: toDo.missingFiles },
  ].filter(({ names }) => names.length > 0);
  if (kinds.length === 0 && toDo.skipped === 0) return null;
  return (
    <>
      <h3 className="mt-4 mb-1 font-medium text-sm">{t("import.toDo")}</h3>
      <ul className="max-w-2xl list-disc space-y-1 pl-5 text-sm marker:text-faint">
        {kinds.map(({ kind, page, names }) => (
          <li key={kind}>
            <a href={`/teams/${codename}/${page}`} className="rounded-sm underline">
              {t(`import.hands.${kind}`, { count: names.length })}
            </a>{" "}
            <span className="break-words text-muted">{listNames(names)}</span>
          </li>
        ))}
        {toDo.skipped > 0 && <li>{t("import.skipped", { count: toDo.skipped })}</li>}
      </ul>
    </>
  );
}
