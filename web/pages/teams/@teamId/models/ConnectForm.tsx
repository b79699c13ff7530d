// The form that connects a service's model: its key, with defaults filled in. Server only.
import { useTranslation } from "#translations";
import { useRequest } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import type { ModelConnection, ModelsView, Role } from "./ModelRoles.tsx";

export interface ConnectFormProps {
  role: Role;
  preset: ModelsView["presets"][number];
  /** The current connection. */
  own: ModelConnection | undefined;
}

export function ConnectForm({ role, preset, own }: ConnectFormProps) {
  const { t } = useTranslation("models");
  const { url } = useRequest();
  const { provider } = preset;
  const kept = own?.provider === provider ? own : undefined;
  const proposed = role === "embedding" ? preset.embeddingModel : preset.chatModel;
  return (
    <Form name="connect" className="space-y-4 rounded-md border border-line p-4">
      <h3 className="font-medium">
        {provider === "custom"
          ? t("form.titleOther")
          : t("form.title", { provider: t(`providers.${provider}`) })}
      </h3>
      {own && <input type="hidden" name="id" value={own.id} />}
      <input type="hidden" name="role" value={role} />
      <input type="hidden" name="provider" value={provider} />
      {preset.baseUrl === null && (
        <FormField
          form="connect"
          name="baseUrl"
          type="url"
          label={t("form.baseUrl")}
          hint={t(provider === "azure" ? "form.azureHint" : "form.baseUrlHint")}
          required
          maxLength={500}
          spellCheck={false}
          defaultValue={kept?.baseUrl ?? undefined}
        />
      )}
      <FormField
        form="connect"
        name="apiKey"
        type="password"
        label={t("form.apiKey")}
        hint={kept?.hasKey ? t("form.apiKeyKept") : t("form.apiKeyHint")}
        required={preset.needsKey && !kept?.hasKey}
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
      />
      <FormField
        form="connect"
        name="model"
        label={t("form.model")}
        hint={t(provider === "azure" ? "form.deploymentHint" : "form.modelHint")}
        required
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={kept?.model ?? proposed ?? undefined}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {(["promptPrice", "completionPrice"] as const)
          .filter((name) => role !== "embedding" || name === "promptPrice")
          .map((name) => (
            <FormField
              key={name}
              form="connect"
              name={name}
              type="number"
              min={0}
              max={100_000}
              step="any"
              label={t(`form.${name}`)}
              hint={t("form.priceHint")}
              defaultValue={kept?.[name] ?? undefined}
            />
          ))}
      </div>
      <div className="flex gap-2">
        <Button variant="primary">{t("form.submit")}</Button>
        <Button href={url.pathname} variant="ghost">
          {t("form.cancel")}
        </Button>
      </div>
    </Form>
  );
}
