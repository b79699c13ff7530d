// Language and theme behind one button, where there is no room for them in a row.
import { Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Menu } from "../components/Menu.tsx";
import { Preferences } from "./Preferences.tsx";

export function PreferencesMenu() {
  const { t } = useTranslation("app");
  return (
    <Menu
      align="end"
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
