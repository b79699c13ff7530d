// The sidebar: the team, its pages in the spec's order, and the user. On a narrow screen it opens as a popover.
import { ChevronsUpDown, Plus, Search, Settings, UsersRound } from "lucide-react";
import { useTranslation } from "#translations";
import { useRender } from "../render/render-context.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { Menu } from "../ui/Menu.tsx";
import { MenuItem } from "../ui/MenuItem.tsx";
import { ScrollArea } from "../ui/ScrollArea.tsx";
import {
  type NavigationEntry,
  navigationGroups,
  type OfferedEntry,
  overviewEntries,
  visibleEntries,
} from "./navigation-entries.ts";
import { OfflineMark } from "./OfflineMark.tsx";
import { UserMenu } from "./UserMenu.tsx";

const entryClass =
  "group flex h-8 items-center gap-2.5 rounded-md px-2 text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-ink";

export function Sidebar() {
  const { t } = useTranslation("app");
  const { frame, canOpen } = useRender();
  const { team, teams, current, isMac } = frame;
  const filterEntries = (entries: NavigationEntry[]) => visibleEntries(entries, team?.codename, canOpen);
  // A group is hidden when the reader may open none of its entries.
  const groups = navigationGroups
    .map(({ key, entries }) => ({ key, entries: filterEntries(entries) }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <nav
      id="sidebar"
      popover="auto"
      aria-label={t("nav.label")}
      className="inset-y-0 left-0 m-0 h-dvh max-h-none w-64 flex-col gap-3 border-line border-r bg-sunken p-3 text-sm backdrop:bg-black/40 open:flex md:sticky md:top-0 md:flex md:w-60 md:shrink-0"
    >
      <Menu
        triggerClass="flex h-10 items-center gap-2.5 px-2 hover:bg-hover"
        trigger={
          <>
            <Avatar name={team?.name ?? "?"} shape="square" size="sm" />
            <span className="min-w-0 flex-1 truncate font-medium">{team?.name ?? t("nav.allTeams")}</span>
            <ChevronsUpDown aria-hidden className="size-3.5 text-faint" />
            <span className="sr-only">{t("nav.switchTeam")}</span>
          </>
        }
      >
        <div className="-m-1 max-h-[50dvh] overflow-y-auto p-1">
          {teams.map(({ id, name, home }) => (
            <MenuItem
              key={id}
              href={home}
              current={id === team?.id}
              icon={<Avatar name={name} shape="square" size="sm" />}
            >
              <span className="min-w-0 truncate">{name}</span>
            </MenuItem>
          ))}
        </div>
        <hr className="-mx-1 my-1 border-line" />
        {team && canOpen(`/teams/${team.codename}/settings`) && (
          <MenuItem href={`/teams/${team.codename}/settings`} icon={<Settings aria-hidden />}>
            {t("nav.teamSettings")}
          </MenuItem>
        )}
        <MenuItem href="/teams" icon={<UsersRound aria-hidden />}>
          {t("nav.allTeams")}
        </MenuItem>
        <MenuItem href="/teams/create" icon={<Plus aria-hidden />}>
          {t("nav.createTeam")}
        </MenuItem>
      </Menu>
      <Button
        variant="bare"
        type="button"
        data-palette
        aria-keyshortcuts="Control+K Meta+K"
        className="flex h-8 items-center gap-2.5 rounded-md border border-line bg-ground px-2 text-muted transition-colors hover:border-line-strong/60 hover:text-ink noscript:hidden"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left">{t("search")}</span>
        <kbd aria-hidden className="kbd">
          {isMac ? "⌘K" : "Ctrl K"}
        </kbd>
      </Button>

      <ScrollArea className="-mx-1 min-h-0 flex-1 space-y-4 px-1 pt-1">
        <ul className="space-y-0.5">
          {filterEntries(overviewEntries).map((entry) => (
            <Entry key={entry.key} entry={entry} current={current} />
          ))}
        </ul>
        {groups.map(({ key, entries }) => (
          <section key={key} aria-labelledby={`nav-${key}`}>
            <h2 id={`nav-${key}`} className="mb-1 px-2 font-medium text-faint text-xs">
              {t(`nav.groups.${key}`)}
            </h2>
            <ul className="space-y-0.5">
              {entries.map((entry) => (
                <Entry key={entry.key} entry={entry} current={current} />
              ))}
            </ul>
          </section>
        ))}
      </ScrollArea>
      <OfflineMark />
      <UserMenu up />
    </nav>
  );
}

function Entry({ entry, current }: { entry: OfferedEntry; current: string | null }) {
  const { t } = useTranslation("app");
  const { key, icon: Icon, href } = entry;
  return (
    <li>
      <a href={href} data-nav aria-current={href === current ? "page" : undefined} className={entryClass}>
        <Icon aria-hidden className="size-4 group-aria-[current=page]:text-accent-ink" />
        {t(`nav.${key}`)}
      </a>
    </li>
  );
}
