// Embedding an agent's chat on other sites: the script tag to copy, and the allowed sites.
import { ExternalLink } from "lucide-react";
import { useTranslation } from "#translations";
import type { CopyTextProps } from "#web/islands/CopyText.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useFormState } from "#web/render/render-context.tsx";
import { env } from "#web/request/env.ts";
import { widgetSnippet } from "#web/request/widget-snippet.ts";
import { Button } from "#web/ui/Button.tsx";
import { Fold } from "#web/ui/Fold.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import type { AgentData } from "./+data.ts";

export function AgentEmbed() {
  const { t } = useTranslation("embed");
  const { agent } = useData<AgentData>();
  const isRefused = useFormState("embed") !== undefined;
  const isPublic = agent.visibility === "public";
  return (
    <Fold title={t("title")} summary={isPublic ? t("text") : t("private")} open={isRefused}>
      <div className="space-y-1.5">
        <h3 className="font-medium text-sm">{t("snippet")}</h3>
        <Island<CopyTextProps>
          name="CopyText"
          load="idle"
          props={{ label: t("snippet"), text: widgetSnippet(agent.id) }}
        />
      </div>
      <Form name="embed" className="mt-5 space-y-3" version={agent.version}>
        <FormField
          as="textarea"
          rows={3}
          form="embed"
          name="allowedOrigins"
          label={t("origins")}
          hint={t("originsHint")}
          defaultValue={agent.allowedOrigins.join("\n")}
        />
        <div className="flex flex-wrap gap-2">
          <Button>{t("app:save")}</Button>
          {isPublic && (
            <Button
              href={`${env.SDK_URL}?${new URLSearchParams({ agent: agent.id })}`}
              variant="ghost"
              icon={<ExternalLink aria-hidden className="size-4" />}
            >
              {t("try")}
            </Button>
          )}
        </div>
      </Form>
    </Fold>
  );
}
