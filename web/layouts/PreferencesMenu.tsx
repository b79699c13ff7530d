// Language and theme behind one button, where there is no room for both.
import { Settings2 } from "lucide-react";
import { useTranslation } from "#translations";
import { Menu } from "../ui/Menu.tsx";
import { Preferences } from "./Preferences.tsx";

/** `up` opens it upwards, as at the bottom of a page. */
export function PreferencesMenu({ up }: { up?: boolean }) {
  const { t } = useTranslation("app");
  return (
    <Menu
      align="end"
      up={up}
      label={t("preferences")}
      triggerClass="icon-button"
      trigger={<Settings2 aria-hidden className="size-4" />}
    >
      <div className="p-1.5">
        <Preferences stacked />
      </div>
    </Menu>
  );
}
