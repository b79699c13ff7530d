// An agent's versions: author, date, changes relative to the live version, publishing a draft and restoring an earlier one.
import { Send } from "lucide-react";
import { useTranslation } from "#translations";
import { useData, useRequest } from "#web/render/render-context.tsx";
import { may } from "#web/request/current-team.ts";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { AgentHeader } from "../../AgentHeader.tsx";
import { TextChanges } from "../../TextChanges.tsx";
import type { Version, VersionsData } from "./+data.ts";
import { settingText } from "./setting-text.ts";

const tones = { live: "good", past: "neutral", draft: "accent" } as const;

export function Page() {
  const { t } = useTranslation("agentTests");
  const { agent, versions } = useData<VersionsData>();
  return (
    <>
      <AgentHeader agent={agent} current="versions">
        {t("versions.intro")}
      </AgentHeader>
      <ol className="divide-y divide-line border-line border-y">
        {versions.data.map((version) => (
          <VersionRow key={version.id} version={version} />
        ))}
      </ol>
      <Pagination page={versions.page} perPage={versions.perPage} total={versions.total} />
    </>
  );
}

function VersionRow({ version }: { version: Version }) {
  const { t } = useTranslation("agentTests");
  const request = useRequest();
  const { number, status, author, restoredFrom, publishedDespite } = version;
  const notes = [
    restoredFrom !== null && t("versions.restoredFrom", { number: restoredFrom }),
    publishedDespite ? t("versions.despite", { count: publishedDespite }) : null,
    publishedDespite === 0 ? t("versions.anyway") : null,
  ].filter(Boolean);
  return (
    <li className="py-4">
      <div className="flex items-center justify-between gap-x-4 gap-y-2 max-sm:flex-wrap [&>*+*]:shrink-0">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 font-medium">
            {t("versions.number", { number })}
            <Badge tone={tones[status]}>{t(`versions.status.${status}`)}</Badge>
          </h2>
          <p className="text-muted text-sm">
            <DateTime value={version.createdAt} />
            {author && ` ${t("versions.by", { name: author.name })}`}
            {notes.map((note) => ` · ${note}`)}
          </p>
        </div>
        {may(request, "agents.write") && status === "draft" && (
          <Form name="publish" fields={{ versionId: version.id }}>
            <Button variant="primary" icon={<Send aria-hidden className="size-4" />}>
              {t("versions.publish")}
            </Button>
          </Form>
        )}
        {may(request, "agents.write") && status === "past" && (
          <ConfirmDialog
            id={`restore-${version.id}`}
            label={t("versions.restore")}
            title={t("versions.restoreTitle", { number })}
            confirm={t("versions.restoreConfirm")}
            form="restore"
            isHarmless
            fields={{ versionId: version.id }}
          >
            {t("versions.restoreText", { number })}
          </ConfirmDialog>
        )}
      </div>
      {status !== "live" && <Changes version={version} />}
    </li>
  );
}

/** The changes that a version would make to the live agent. */
function Changes({ version }: { version: Version }) {
  const { t, i18n } = useTranslation("agentTests");
  const { agent, names } = useData<VersionsData>();
  const words = { t, language: i18n.language, names };
  const changed = (Object.keys(version.settings) as (keyof Version["settings"])[])
    .map((name) => ({
      name,
      before: settingText(name, agent[name], words),
      after: settingText(name, version.settings[name], words),
    }))
    .filter(({ before, after }) => before !== after);
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-sm text-muted text-sm underline hover:text-ink">
        {t("versions.changes")}
      </summary>
      {changed.length === 0 ? (
        <p className="mt-2 text-muted text-sm">{t("versions.none")}</p>
      ) : (
        <dl className="mt-2 space-y-3">
          {changed.map(({ name, before, after }) => (
            <div key={name}>
              <dt className="text-muted text-sm">{t(`versions.fields.${name}`)}</dt>
              <dd>
                <TextChanges before={before} after={after} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}
