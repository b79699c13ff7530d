// A preview of an agent's widget and page with the unsaved values of the form next to it, in light and dark. Reports
// where a colour was adjusted for contrast. Also shrinks the chosen picture, and offers the browser's colour picker.
import { useEffect, useState } from "react";
import { useTranslation } from "#translations";
import { BRAND_PATTERN, brandColors } from "../client/brand-colors.ts";
import { shrinkPicture } from "../client/shrink-picture.ts";
import {
  type AppearanceLook,
  AppearanceScene,
} from "../pages/teams/@teamId/agents/@agentId/appearance/AppearanceScene.tsx";

export interface AppearancePreviewProps {
  /** The id of the form. */
  form: string;
  agent: { name: string; description: string; suggestedPrompts: string[] };
  /** Address of the saved picture. */
  picture: string | null;
  /** The form's initial values. */
  first: AppearanceLook;
}

AppearancePreview.namespaces = ["appearance", "chat", "widget"];

const COLOR = "appearance.color";

export function AppearancePreview({ form: id, agent, picture, first }: AppearancePreviewProps) {
  const { t } = useTranslation("appearance");
  const [look, setLook] = useState(first);
  const [chosen, setChosen] = useState<string | null>(picture);

  useEffect(() => {
    const form = document.getElementById(id);
    if (!(form instanceof HTMLFormElement)) return;
    let address: string | null = null;
    const onInput = () => setLook(lookIn(form));
    const onChange = async ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.name === "noAvatar") setChosen(target.checked ? null : picture);
      if (target.name !== "avatar") return;
      if (address) URL.revokeObjectURL(address);
      const file = await shrinkPicture(target);
      address = file && URL.createObjectURL(file);
      setChosen(address ?? picture);
    };
    const listener = (event: Event) => void onChange(event);
    onInput();
    form.addEventListener("input", onInput);
    form.addEventListener("change", listener);
    return () => {
      form.removeEventListener("input", onInput);
      form.removeEventListener("change", listener);
      if (address) URL.revokeObjectURL(address);
    };
  }, [id, picture]);

  function pick(color: string) {
    const field = document.querySelector<HTMLInputElement>(`#${id} [name="${COLOR}"]`);
    if (!field) return;
    field.value = color;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  const color = look.color.trim().toLowerCase();
  const isColor = BRAND_PATTERN.test(color);
  const shown = { ...look, color: isColor ? color : "" };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-medium text-lg">{t("preview.title")}</h2>
        <label className="flex items-center gap-2 text-sm noscript:hidden">
          {t("color.pick")}
          <input
            type="color"
            value={isColor ? color : "#4f46e5"}
            onChange={(event) => pick(event.target.value)}
            className="h-8 w-12 rounded-md border border-line-strong bg-ground p-0.5"
          />
        </label>
      </div>
      <p role="status" className="mb-3 min-h-10 text-muted text-sm">
        {isColor ? <Adjusted color={color} /> : t("preview.text")}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {(["light", "dark"] as const).map((scheme) => (
          <AppearanceScene key={scheme} scheme={scheme} look={shown} agent={agent} picture={chosen} />
        ))}
      </div>
    </>
  );
}

/** Reports which colours differ from the chosen one, and why. */
function Adjusted({ color }: { color: string }) {
  const { t } = useTranslation("appearance");
  const { ink, onFill } = brandColors(color);
  const text = t(onFill === "#ffffff" ? "color.white" : "color.black");
  const [light, dark] = [ink.light !== color, ink.dark !== color];
  if (light && dark) return `${text} ${t("color.both", { light: ink.light, dark: ink.dark })}`;
  if (light) return `${text} ${t("color.light", { light: ink.light })}`;
  if (dark) return `${text} ${t("color.dark", { dark: ink.dark })}`;
  return text;
}

function lookIn(form: HTMLFormElement): AppearanceLook {
  const values = new FormData(form);
  const text = (name: string) => String(values.get(name) ?? "");
  return {
    name: text("appearance.name").trim(),
    color: text(COLOR),
    greeting: text("greeting").trim(),
    icon: text("appearance.launcher.icon"),
    label: text("appearance.launcher.label").trim(),
    position: text("appearance.position"),
  };
}
