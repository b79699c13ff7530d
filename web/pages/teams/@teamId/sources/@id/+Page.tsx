// A source: its running task, its documents, its errors with their remedies, and its settings.
import { ListChecks, RefreshCw, Square } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { currentTeam, may, teamPath } from "#web/request/current-team.ts";
import { Alert } from "#web/ui/Alert.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { PageHeader } from "#web/ui/PageHeader.tsx";
import { RenameForm } from "#web/ui/RenameForm.tsx";
import { Status } from "#web/ui/Status.tsx";
import { LiveTask } from "../../tasks/LiveTask.tsx";
import { SourcePreview } from "../SourcePreview.tsx";
import { isSynced } from "../source-types.ts";
import type { SourceData } from "./+data.ts";
import { QaEntries } from "./QaEntries.tsx";
import { SourceDocuments } from "./SourceDocuments.tsx";
import { SourceHistory } from "./SourceHistory.tsx";
import { SourceSettings } from "./SourceSettings.tsx";
import { SourceSkipped } from "./SourceSkipped.tsx";

export function Page() {
  const { t } = useTranslation("sources");
  const request = useRequest();
  const data = useData<SourceData>();
  const { source, type, task, preview } = data;
  const mayWrite = may(request, "sources.write");
  const lacksLogin = type.login === "required" && !source.hasCredentials;
  const address = teamPath(request, `sources/${source.id}`);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: currentTeam(request).name, href: "/dashboard" },
          { label: t("list.title"), href: teamPath(request, "sources") },
          { label: source.name },
        ]}
        title={source.name}
        rename={mayWrite && <RenameForm name={source.name} version={source.version} />}
        mark={<Status value={source.status} />}
        actions={
          mayWrite && (
            <>
              {isSynced(type) && !lacksLogin && (
                <Button href={`${address}?check=1`} icon={<ListChecks aria-hidden className="size-4" />}>
                  {t("check")}
                </Button>
              )}
              {task ? (
                task.status !== "stopping" && (
                  <Form name="stop">
                    <Button icon={<Square aria-hidden className="size-4" />}>{t("stop")}</Button>
                  </Form>
                )
              ) : lacksLogin ? null : (
                <Form name="sync">
                  <Button variant="primary" icon={<RefreshCw aria-hidden className="size-4" />}>
                    {t("syncNow")}
                  </Button>
                </Form>
              )}
            </>
          )
        }
      >
        {t(`source-${type.type}:name`)} · {t("documentsCount", { count: source.documentsCount })}
        {source.syncedAt && (
          <>
            {" · "}
            {t("lastSynced")} <DateTime value={source.syncedAt} />
          </>
        )}
        {source.nextSyncAt && (
          <>
            {" · "}
            {t("nextSync")} <DateTime value={source.nextSyncAt} />
          </>
        )}
      </PageHeader>
      <div className="space-y-6">
        {lacksLogin && (
          <Alert tone="careful" title={t("noLogin.title")}>
            {t(mayWrite ? "noLogin.enter" : "noLogin.ask")}
          </Alert>
        )}
        {source.error && !lacksLogin && (
          <Alert tone="bad" title={t("failed")}>
            {source.error}
            {source.showsNothing && mayWrite && !task && (
              <div className="mt-3">
                <ConfirmDialog
                  id="accept-empty"
                  label={t("acceptEmpty.label")}
                  title={t("acceptEmpty.title")}
                  confirm={t("acceptEmpty.confirm")}
                  form="acceptEmpty"
                >
                  {t("acceptEmpty.text")}
                </ConfirmDialog>
              </div>
            )}
          </Alert>
        )}
        {task && <LiveTask task={task} />}
        {preview && <SourcePreview type={type.type} preview={preview} />}
      </div>
      <div className="mt-8 grid gap-x-12 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 space-y-10">
          {data.written && <QaEntries {...data.written} mayWrite={mayWrite} />}
          <SourceDocuments {...data} mayWrite={mayWrite} />
          <SourceSkipped sourceId={source.id} skipped={data.skipped} />
          <SourceHistory tasks={data.history} />
        </div>
        {mayWrite && (
          <aside className="max-lg:mt-10 max-lg:border-line max-lg:border-t max-lg:pt-6">
            <SourceSettings {...data} />
          </aside>
        )}
      </div>
    </>
  );
}
