// An agent's appearance for visitors: the settings, with a preview of unsaved changes next to them.
import { ExternalLink } from "lucide-react";
import { launcherIcons } from "#edge-functions/v1/agents/launcher-icons.ts";
import { useTranslation } from "#translations";
import type { AppearancePreviewProps } from "#web/islands/AppearancePreview.tsx";
import { Island } from "#web/render/island.tsx";
import { useData, useRender } from "#web/render/render-context.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form } from "#web/ui/Form.tsx";
import { FormCheckbox } from "#web/ui/FormCheckbox.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { AgentHeader } from "../../AgentHeader.tsx";
import type { AppearanceData } from "./+data.ts";

const FORM = "appearance";

export function Page() {
  const { t } = useTranslation("appearance");
  const { agent, origin } = useData<AppearanceData>();
  const { form } = useRender();
  const { name, description, greeting, suggestedPrompts, appearance, avatar, version } = agent;
  const { launcher, position, address, color } = appearance;
  const readTyped = (field: string, saved: string) => form?.values[field]?.[0] ?? saved;
  return (
    <>
      <AgentHeader
        agent={agent}
        current="appearance"
        actions={
          agent.visibility === "public" && (
            <Button
              href={address ? `/c/${address}` : `/chats/${agent.id}`}
              icon={<ExternalLink aria-hidden className="size-4" />}
            >
              {t("agents:open")}
            </Button>
          )
        }
      >
        {t("intro")}
      </AgentHeader>
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <Form id={FORM} multipart version={version} className="min-w-0 space-y-5">
          <FormField
            name="appearance.name"
            label={t("name.label")}
            hint={t("name.hint")}
            placeholder={name}
            maxLength={60}
            defaultValue={appearance.name}
          />
          <FormField
            name="appearance.color"
            label={t("color.label")}
            hint={t("color.hint")}
            placeholder="#0f766e"
            pattern="#[0-9a-fA-F]{6}"
            maxLength={7}
            spellCheck={false}
            autoComplete="off"
            defaultValue={color}
          />
          <div className="space-y-2">
            <FormField
              type="file"
              name="avatar"
              accept="image/png,image/jpeg,image/webp"
              label={t("avatar.label")}
              hint={t("avatar.hint")}
            />
            {avatar && <FormCheckbox name="noAvatar" label={t("avatar.remove")} isChecked={false} />}
          </div>
          <FormField
            as="textarea"
            rows={2}
            name="greeting"
            label={t("greeting.label")}
            hint={t("greeting.hint")}
            maxLength={2000}
            defaultValue={greeting}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <FormField
              as="select"
              name="appearance.launcher.icon"
              label={t("icon.label")}
              defaultValue={launcher.icon}
              options={launcherIcons.map((value) => ({ value, label: t(`icon.${value}`) }))}
            />
            <FormField
              as="select"
              name="appearance.position"
              label={t("position.label")}
              defaultValue={position}
              options={(["right", "left"] as const).map((value) => ({
                value,
                label: t(`position.${value}`),
              }))}
            />
          </div>
          <FormField
            name="appearance.launcher.label"
            label={t("label.label")}
            hint={t("label.hint")}
            maxLength={30}
            defaultValue={launcher.label}
          />
          <FormField
            name="appearance.address"
            label={t("address.label")}
            hint={t("address.hint", { start: `${origin}/c/` })}
            placeholder={t("address.example")}
            maxLength={32}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            defaultValue={address}
          />
          <Button variant="primary">{t("app:save")}</Button>
        </Form>
        <section aria-label={t("preview.title")} className="min-w-0">
          <Island<AppearancePreviewProps>
            name="AppearancePreview"
            props={{
              form: FORM,
              agent: { name, description, suggestedPrompts },
              picture: avatar,
              first: {
                name: readTyped("appearance.name", appearance.name),
                color: readTyped("appearance.color", color),
                greeting: readTyped("greeting", greeting),
                icon: readTyped("appearance.launcher.icon", launcher.icon),
                label: readTyped("appearance.launcher.label", launcher.label),
                position: readTyped("appearance.position", position),
              },
            }}
          />
        </section>
      </div>
    </>
  );
}
