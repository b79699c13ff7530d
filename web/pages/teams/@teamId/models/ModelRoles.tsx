// The models that answer, stand in and embed; and, for those who may, how to connect another: a service by name, then
// its key. Server only.
import { Unplug } from "lucide-react";
import { useTranslation } from "#translations";
import type { AnswerOf } from "#web/client/api-calls.ts";
import { useRequest } from "#web/render/render-context.tsx";
import { Alert } from "#web/ui/Alert.tsx";
import { Badge } from "#web/ui/Badge.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { Form } from "#web/ui/Form.tsx";
import { Section } from "#web/ui/Section.tsx";
import { ConnectForm } from "./ConnectForm.tsx";
import { dollars } from "./dollars.ts";

export type ModelsView = AnswerOf<"GET", "/v1/admin/models">;
export type ModelConnection = ModelsView["data"][number];
type LocalModels = AnswerOf<"GET", "/v1/admin/models/local">["data"];
export type Role = ModelConnection["role"];

const roles: Role[] = ["chat", "fallback", "embedding", "vision"];

export interface ModelRolesProps {
  models: ModelsView;
  mayChange: boolean;
  /** Models on the installation's machines; for platform admins. */
  local: LocalModels;
}

export function ModelRoles({ models, mayChange, local }: ModelRolesProps) {
  const { t } = useTranslation("models");
  return (
    <>
      {models.inUse.offline && (
        <div className="mb-6 max-w-2xl">
          <Alert title={t("offline.title")}>{t("offline.text")}</Alert>
        </div>
      )}
      {roles.map((role) => {
        const own = mayChange ? models.data.find((one) => one.role === role) : undefined;
        return (
          <Section
            key={role}
            title={t(`roles.${role}.title`)}
            description={t(`roles.${role}.text`)}
            actions={own && <Disconnect own={own} />}
          >
            <div className="max-w-2xl space-y-4">
              <InUse role={role} models={models} own={own} />
              {mayChange && <Choice role={role} models={models} own={own} local={local} />}
            </div>
          </Section>
        );
      })}
    </>
  );
}

type OfRole = { role: Role; models: ModelsView; own: ModelConnection | undefined };

function InUse({ role, models: { inUse, moving }, own }: OfRole) {
  const { t } = useTranslation("models");
  const { locale } = useRequest();
  const used = inUse[role];
  if (!used) return <p className="text-muted">{t(role === "vision" ? "noVision" : "none")}</p>;
  const isBuiltIn = used.model.startsWith("offline-");
  const price = (value: number | null) => dollars(value ?? 0, locale);
  return (
    <div className="space-y-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{isBuiltIn ? t("builtIn") : used.model}</span>
        {!isBuiltIn && <Badge>{t(`from.${used.from}`)}</Badge>}
      </p>
      {own && (
        <p className="break-words text-muted text-sm">
          {[
            t(`providers.${own.provider}`, { defaultValue: own.provider }),
            ...(own.baseUrl ? [own.baseUrl] : []),
            own.hasKey ? t("key") : t("noKey"),
            ...(own.dimensions ? [t("dimensions", { count: own.dimensions })] : []),
            ...(own.promptPrice === null && own.completionPrice === null
              ? []
              : [
                  t(role === "embedding" ? "price" : "prices", {
                    prompt: price(own.promptPrice),
                    completion: price(own.completionPrice),
                  }),
                ]),
          ].join(" · ")}
        </p>
      )}
      {!used.hasPrice && <p className="text-muted text-sm">{t("noPrice")}</p>}
      {role === "embedding" && moving > 0 && (
        <p className="text-muted text-sm">{t("moving", { count: moving })}</p>
      )}
    </div>
  );
}

function Disconnect({ own }: { own: ModelConnection }) {
  const { t } = useTranslation("models");
  return (
    <ConfirmDialog
      id={`disconnect-${own.role}`}
      form="disconnect"
      fields={{ id: own.id }}
      icon={<Unplug aria-hidden className="size-4" />}
      label={t("disconnect")}
      title={t("remove.title", { model: own.model })}
      confirm={t("remove.confirm")}
    >
      {t("remove.text")}
    </ConfirmDialog>
  );
}

/** Local models with one click, the services by name, and the form of the chosen service. */
function Choice({ role, models, own, local }: OfRole & { local: LocalModels }) {
  const { t } = useTranslation("models");
  const { url } = useRequest();
  const chosen = url.searchParams.get("role") === role ? url.searchParams.get("provider") : null;
  const preset = models.presets.find(({ provider }) => provider === chosen);
  if (preset) return <ConnectForm role={role} preset={preset} own={own} />;
  const offered = models.presets.filter(
    ({ embeddingModel, baseUrl }) => role !== "embedding" || embeddingModel !== null || baseUrl === null,
  );
  const found = local.flatMap(({ provider, baseUrl, chatModels, embeddingModels }) =>
    (role === "embedding" ? embeddingModels : chatModels)
      .slice(0, 6)
      .map((model) => ({ provider, baseUrl, model })),
  );
  return (
    <>
      {found.length > 0 && (
        <div className="space-y-2">
          <p className="text-muted text-sm">{t("found")}</p>
          <div className="flex flex-wrap gap-2">
            {found.map(({ provider, baseUrl, model }) => (
              <Form
                key={`${baseUrl} ${model}`}
                name="connect"
                fields={{ ...(own && { id: own.id }), role, provider, baseUrl, model }}
              >
                <Button variant="primary">
                  {t("connectThis", { model: `${model} (${t(`providers.${provider}`)})` })}
                </Button>
              </Form>
            ))}
          </div>
        </div>
      )}
      <div className="space-y-2">
        <p className="text-muted text-sm">{t("connectWith")}</p>
        <div className="flex flex-wrap gap-2">
          {offered.map(({ provider }) => (
            <Button key={provider} href={`${url.pathname}?role=${role}&provider=${provider}`}>
              {t(`providers.${provider}`)}
            </Button>
          ))}
        </div>
      </div>
    </>
  );
}
