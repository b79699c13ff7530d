// The logged-in user, their preferences of language and theme, and Log out.
import { ChevronsUpDown, LogOut, ShieldCheck, UserRound } from "lucide-react";
import { useTranslation } from "#translations";
import { useFrame } from "../render/render-context.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Menu } from "../ui/Menu.tsx";
import { MenuItem } from "../ui/MenuItem.tsx";
import { Preferences } from "./Preferences.tsx";

/** `up` opens it upwards, as at the bottom of the sidebar. */
export function UserMenu({ up }: { up?: boolean }) {
  const { t } = useTranslation("app");
  const { user } = useFrame();
  if (!user) return null;
  return (
    <Menu
      up={up}
      align={up ? "start" : "end"}
      triggerClass="flex items-center gap-2.5 px-2 py-1.5 text-sm hover:bg-hover"
      trigger={
        <>
          <Avatar name={user.name} size={up ? "md" : "sm"} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{user.name}</span>
            {up && <span className="block truncate text-muted text-xs">{user.email}</span>}
          </span>
          <ChevronsUpDown aria-hidden className="size-3.5 text-faint" />
          <span className="sr-only">{t("nav.account")}</span>
        </>
      }
    >
      <MenuItem href="/account" icon={<UserRound aria-hidden />}>
        {t("nav.profile")}
      </MenuItem>
      {user.isAdmin && (
        <MenuItem href="/admin/teams" icon={<ShieldCheck aria-hidden />}>
          {t("nav.admin")}
        </MenuItem>
      )}
      <hr className="-mx-1 my-1 border-line" />
      <div className="px-2 py-1.5">
        <Preferences stacked />
      </div>
      <hr className="-mx-1 my-1 border-line" />
      <form method="post" action="/logout" data-reload>
        <MenuItem icon={<LogOut aria-hidden />}>{t("nav.logout")}</MenuItem>
      </form>
    </Menu>
  );
}
