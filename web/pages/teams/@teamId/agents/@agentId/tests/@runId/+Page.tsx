// A run of an agent's tests: what broke and what was fixed, answers side by side, and the button to publish the tested version.
import { RotateCcw, Send, Square } from "lucide-react";
import { useTranslation } from "#translations";
import { AgentHeader } from "#web/pages/teams/@teamId/agents/AgentHeader.tsx";
import { LiveTask } from "#web/pages/teams/@teamId/tasks/LiveTask.tsx";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Status } from "#web/ui/Status.tsx";
import { runStatus } from "../run-status.ts";
import type { RunData } from "./+data.ts";
import { ResultRow } from "./ResultRow.tsx";

export function Page() {
  const { t } = useTranslation("agentTests");
  const request = useRequest();
  const { agent, run, task } = useData<RunData>();
  const mayWrite = may(request, "agents.write");
  const decided = run.passed + run.failed + run.documentDeleted;
  const passed = t("runs.passed", { passed: run.passed + run.documentDeleted, total: run.total });
  return (
    <>
      <AgentHeader
        agent={agent}
        current="tests"
        below={
          run.liveVersionNumber === null
            ? t("runs.of", { number: run.versionNumber })
            : t("runs.against", { number: run.versionNumber, live: run.liveVersionNumber })
        }
        mark={<Status value={runStatus(run.status)} />}
        actions={mayWrite && (task ? task.status !== "stopping" && <Stop /> : <Actions />)}
      >
        <span className="flex flex-wrap items-center gap-2">
          {passed}
          {run.broken > 0 && <Badge tone="bad">{t("runs.broken", { broken: run.broken })}</Badge>}
          {run.undecided > 0 && (
            <Badge tone="careful">{t("runs.undecided", { undecided: run.undecided })}</Badge>
          )}
          {run.fixed > 0 && <Badge tone="good">{t("runs.fixed", { fixed: run.fixed })}</Badge>}
        </span>
      </AgentHeader>
      {task && (
        <div className="mb-6">
          <LiveTask task={task} />
        </div>
      )}
      {(run.status === "stopped" || run.status === "failed") && (
        <div className="mb-6">
          <Alert tone="careful" title={t("run.stopped")}>
            {run.error} {t("run.stoppedText", { done: run.done, total: run.total })}
          </Alert>
        </div>
      )}
      {run.undecided > 0 && !task && (
        <div className="mb-6">
          <Alert>{t(decided === 0 ? "run.allUndecidedText" : "run.undecidedText")}</Alert>
        </div>
      )}
      <ul className="divide-y divide-line border-line border-y">
        {run.results.map((result) => (
          <ResultRow
            key={result.id}
            result={result}
            isCompared={run.liveVersionId !== null}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
    </>
  );
}

function Stop() {
  const { t } = useTranslation("agentTests");
  return (
    <Form name="stop">
      <Button icon={<Square aria-hidden className="size-4" />}>{t("run.stop")}</Button>
    </Form>
  );
}

function Actions() {
  const { t } = useTranslation("agentTests");
  const { run, isDraft } = useData<RunData>();
  const fields = { versionId: run.versionId, liveVersionId: run.liveVersionId ?? "" };
  const number = run.versionNumber;
  const hidden = Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
  return (
    <>
      <Form name="again">
        {hidden}
        <Button icon={<RotateCcw aria-hidden className="size-4" />}>{t("run.again")}</Button>
      </Form>
      {isDraft &&
        (run.broken > 0 || run.undecided > 0 || run.status !== "succeeded" ? (
          <ConfirmDialog
            id="anyway"
            label={t("run.anyway")}
            title={t("run.anywayTitle", { number })}
            confirm={t("run.publish", { number })}
            form="anyway"
            fields={fields}
          >
            {[
              run.broken > 0 && t("run.anywayText"),
              run.undecided > 0 && t("run.anywayUndecidedText"),
              run.status !== "succeeded" &&
                t("run.anywayUnfinishedText", { done: run.done, total: run.total }),
              t("run.anywayRecord"),
            ]
              .filter(Boolean)
              .join(" ")}
          </ConfirmDialog>
        ) : (
          <Form name="publish">
            {hidden}
            <Button variant="primary" icon={<Send aria-hidden className="size-4" />}>
              {t("run.publish", { number })}
            </Button>
          </Form>
        ))}
    </>
  );
}
