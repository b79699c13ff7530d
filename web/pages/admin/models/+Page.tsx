// The installation's models, and their cost per team this month.
import { useTranslation } from "#translations";
import { numberFormat } from "#web/client/per-language.ts";
import { useData, useFormState, useRequest } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DataTable } from "#web/ui/DataTable.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Input } from "#web/ui/Input.tsx";
import { Pagination } from "#web/ui/Pagination.tsx";
import { Section } from "#web/ui/Section.tsx";
import { dollars } from "../../teams/@teamId/models/dollars.ts";
import { ModelRoles } from "../../teams/@teamId/models/ModelRoles.tsx";
import { AdminHead } from "../AdminHead.tsx";
import type { AdminModelsData } from "./+data.ts";

export function Page() {
  const { t } = useTranslation("models");
  const { locale } = useRequest();
  const { models, local, teams } = useData<AdminModelsData>();
  const number = numberFormat(locale);
  return (
    <>
      <AdminHead list="models" />
      <ModelRoles models={models} mayChange local={local} />
      <Section title={t("teams.title")}>
        <DataTable
          caption={t("teams.title")}
          rows={teams.data}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "team",
              header: t("teams.team"),
              cell: ({ id, name, spent }) => (
                <>
                  <a href={`/admin/teams/${id}`} className="block truncate font-medium hover:underline">
                    {name}
                  </a>
                  <span className="block truncate text-muted text-xs lg:hidden">
                    {t("app:labelled", { label: t("usage.cost"), value: dollars(spent, locale) })}
                  </span>
                </>
              ),
            },
            {
              key: "tokens",
              header: t("usage.tokens"),
              align: "right",
              minor: true,
              cell: ({ tokens }) => number.format(tokens),
            },
            {
              key: "cost",
              minor: true,
              header: t("usage.cost"),
              align: "right",
              cell: ({ spent }) => dollars(spent, locale),
            },
            {
              key: "cap",
              isWhole: true,
              header: t("teams.cap"),
              align: "right",
              cell: (team) => <Cap {...team} />,
            },
          ]}
        />
        <Pagination {...teams} />
      </Section>
    </>
  );
}

function Cap({ id, name, installationCap }: AdminModelsData["teams"]["data"][number]) {
  const { t } = useTranslation("models");
  // One form name per team: restored text returns to the team's own field.
  const form = `cap-${id}`;
  const refused = useFormState(form);
  return (
    <Form
      name={form}
      className="flex justify-end gap-2 text-left has-[[role=alert]]:flex-wrap max-sm:flex-wrap"
    >
      <input type="hidden" name="id" value={id} />
      <span className="block w-28 min-w-28">
        <Input
          name="installationCap"
          type="number"
          min={0}
          max={10_000_000}
          step="any"
          aria-label={t("app:labelled", { label: t("teams.cap"), value: name })}
          aria-invalid={refused !== undefined || undefined}
          defaultValue={refused?.values.installationCap?.[0] ?? installationCap ?? undefined}
        />
      </span>
      <Button>{t("teams.save")}</Button>
    </Form>
  );
}
