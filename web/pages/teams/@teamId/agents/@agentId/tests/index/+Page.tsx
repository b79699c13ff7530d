// An agent's tests: questions, expectations, and the latest runs.
import { Download, FlaskConical, Play } from "lucide-react";
import { useTranslation } from "#translations";
import { AgentHeader } from "#web/pages/teams/@teamId/agents/AgentHeader.tsx";
import { useData, useRender, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { DateCell } from "#web/ui/DateCell.tsx";
import { EmptyState } from "#web/ui/EmptyState.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { Section } from "#web/ui/Section.tsx";
import { Status } from "#web/ui/Status.tsx";
import { runStatus } from "../run-status.ts";
import type { TestRun, TestsData } from "./+data.ts";
import { ImportTests } from "./ImportTests.tsx";
import { TestForm } from "./TestForm.tsx";
import { TestRow } from "./TestRow.tsx";

export function Page() {
  const { t } = useTranslation("agentTests");
  const request = useRequest();
  const { agent, tests, runs } = useData<TestsData>();
  const { form } = useRender();
  const mayWrite = may(request, "agents.write");
  const api = `/v1/teams/${currentTeam(request).id}/agents/${agent.id}/tests`;
  return (
    <>
      <AgentHeader
        agent={agent}
        current="tests"
        actions={
          tests.total > 0 && (
            <>
              <Button
                href={`${api}/export`}
                download="tests.csv"
                data-reload
                icon={<Download aria-hidden className="size-4" />}
              >
                {t("tests.export")}
              </Button>
              {mayWrite && (
                <Form name="run">
                  <Button variant="primary" icon={<Play aria-hidden className="size-4" />}>
                    {t("tests.run")}
                  </Button>
                </Form>
              )}
            </>
          )
        }
      >
        {t("tests.intro")}
      </AgentHeader>
      {tests.total === 0 ? (
        <EmptyState icon={<FlaskConical />} title={t("tests.emptyTitle")}>
          {t(mayWrite ? "tests.emptyText" : "tests.emptyRead")}
        </EmptyState>
      ) : (
        <Section title={t("tests.list", { count: tests.total })}>
          <ul className="divide-y divide-line border-line border-y">
            {tests.data.map((test) => (
              <TestRow key={test.id} test={test} mayWrite={mayWrite} />
            ))}
          </ul>
          <Pagination page={tests.page} perPage={tests.perPage} total={tests.total} />
        </Section>
      )}
      {mayWrite && (
        <>
          <Fold title={t("form.add")} open={tests.total === 0 || form?.name === "add"}>
            <TestForm name="add" submit={t("form.add")} />
          </Fold>
          <ImportTests />
        </>
      )}
      {runs.length > 0 && (
        <Section title={t("runs.title")}>
          <Runs runs={runs} />
        </Section>
      )}
    </>
  );
}

function Runs({ runs }: { runs: TestRun[] }) {
  const { t } = useTranslation("agentTests");
  const request = useRequest();
  return (
    <DataTable
      caption={t("runs.title")}
      rows={runs}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "version",
          header: t("runs.version"),
          cell: ({ id, agentId, versionNumber, liveVersionNumber }) => (
            <a
              href={teamPath(request, `agents/${agentId}/tests/${id}`)}
              className="block truncate rounded-sm font-medium"
            >
              {liveVersionNumber === null
                ? t("runs.of", { number: versionNumber })
                : t("runs.against", { number: versionNumber, live: liveVersionNumber })}
            </a>
          ),
        },
        {
          key: "status",
          header: t("runs.status"),
          minor: true,
          cell: ({ status }) => <Status value={runStatus(status)} />,
        },
        {
          key: "result",
          header: t("runs.result"),
          isWhole: true,
          cell: ({ status, passed, documentDeleted, total, broken, undecided, fixed }) => (
            <span className="block whitespace-normal lg:min-w-40">
              {status !== "succeeded" && (
                <span className="block lg:hidden">
                  <Status value={runStatus(status)} />
                </span>
              )}
              {[
                t("runs.passed", { passed: passed + documentDeleted, total }),
                broken > 0 && t("runs.broken", { broken }),
                undecided > 0 && t("runs.undecided", { undecided }),
                fixed > 0 && t("runs.fixed", { fixed }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          ),
        },
        {
          key: "started",
          header: t("runs.started"),
          align: "right",
          minor: true,
          cell: ({ createdAt }) => <DateCell value={createdAt} />,
        },
      ]}
    />
  );
}
